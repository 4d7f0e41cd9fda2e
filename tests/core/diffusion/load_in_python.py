#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads a .pt file as the published code does (and with weights_only, which refuses anything unusual) and prints what is in
it: one line "step N", then a line "STATE NAME SHAPE SUM" for every entry in order. Exit code 77: there is no PyTorch."""
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(77)

path = sys.argv[1]
checkpoint = torch.load(path, map_location="cpu", weights_only=True)
plain = torch.load(path, map_location="cpu", weights_only=False)
assert list(checkpoint) == list(plain) == ["step", "model", "ema"], list(checkpoint)
print("step", checkpoint["step"])
for state in ("model", "ema"):
    assert type(checkpoint[state]).__name__ == "OrderedDict"
    for name, tensor in checkpoint[state].items():
        assert tensor.dtype == torch.float32 and tensor.is_contiguous() and torch.equal(tensor, plain[state][name])
        print(state, name, "x".join(map(str, tensor.shape)), tensor.double().sum().item().hex())
# A strict load into parameters of the same names and shapes, as Module.load_state_dict checks it.
module = torch.nn.Module()
for name, tensor in checkpoint["ema"].items():
    module.register_buffer(name.replace(".", "/"), torch.zeros_like(tensor))
module.load_state_dict({name.replace(".", "/"): tensor for name, tensor in checkpoint["ema"].items()}, strict=True)
