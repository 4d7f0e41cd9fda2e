#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a profiling study of Med-DDPM says of its optimisation modes against the runs beside this script.

  claims.py build/bin/voxlab-worker      prints the table of CLAIMS.md

Every number comes from `voxlab-worker report RUN --format json`: nothing is typed in. Times are per training step at 128^3, batch 1.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"baseline": "Baseline", "opt1": "OPT1", "opt2": "OPT2", "opt12": "OPT12", "fused_bf16": "fused_bf16", "fused_bf16_graph": "fused_bf16_graph"}
CLEAR = 3  # points
COMPUTE = ["convolution_forward", "convolution_data_gradient", "convolution_weight_gradient", "matrix_product", "attention"]


def report(worker, run):
    out = subprocess.run([worker, "report", str(HERE / run), "--format", "json"], check=True, capture_output=True, text=True)
    return json.loads(out.stdout)


def part(profile, *categories):
    return sum(profile["categories_ms"].get(c, 0.0) for c in categories)


def tensor_share(profile):
    audit = profile["precision"]
    return audit["tensor_cores_ms"] / audit["products_ms"] if audit["products_ms"] else 0.0


def percent(value):
    return "–" if value is None else f"{value:.1f} %"


def ms(value):
    return f"{value:.1f} ms"


def verdict(condition):
    return "holds" if condition else "does not hold"


def counter(profiles, mode, name):
    return profiles[mode].get("counters", {}).get(name) if mode in profiles else None


def claims(p):
    base, tf32, last, both, fused = (p[m] for m in ("baseline", "opt1", "opt2", "opt12", "fused_bf16"))
    kernel = {m: r["kernel_ms_per_step"] for m, r in p.items()}

    yield ("TF32 (OPT1) moves convolutions and products onto tensor cores",
           f"share of their time in tensor-core kernels: Baseline {percent(100 * tensor_share(base))}, OPT1 {percent(100 * tensor_share(tf32))}",
           verdict(tensor_share(tf32) > tensor_share(base) + 0.2))
    yield ("…which makes convolutions and products several times faster",
           f"{ms(part(base, *COMPUTE))} → {ms(part(tf32, *COMPUTE))}",
           verdict(part(tf32, *COMPUTE) * 2 < part(base, *COMPUTE)))
    rest = [part(r, "elementwise", "normalisation_forward", "normalisation_backward") for r in (base, tf32)]
    shares = [100 * r / kernel[m] for r, m in zip(rest, ("baseline", "opt1"))]
    yield ("After TF32 elementwise work and normalisation weigh more",
           f"{ms(rest[0])} ({percent(shares[0])}) → {ms(rest[1])} ({percent(shares[1])})",
           verdict(shares[1] > shares[0]))
    yield ("Channels last (OPT2) speeds the step up", f"{ms(kernel['baseline'])} → {ms(kernel['opt2'])}",
           verdict(kernel["opt2"] < kernel["baseline"]))
    yield ("Channels last costs layout conversions and copies",
           f"{ms(part(base, 'layout_conversion', 'copy'))} → {ms(part(last, 'layout_conversion', 'copy'))}",
           verdict(part(last, "layout_conversion", "copy") > part(base, "layout_conversion", "copy")))
    yield ("Channels last raises the elementwise share",
           f"{ms(part(base, 'elementwise'))} ({percent(100 * part(base, 'elementwise') / kernel['baseline'])}) → "
           f"{ms(part(last, 'elementwise'))} ({percent(100 * part(last, 'elementwise') / kernel['opt2'])})",
           verdict(part(last, "elementwise") / kernel["opt2"] > part(base, "elementwise") / kernel["baseline"]))
    yield ("Both together (OPT12) are the fastest of the four", ", ".join(f"{m} {ms(kernel[m])}" for m in ("baseline", "opt1", "opt2", "opt12")),
           verdict(kernel["opt12"] == min(kernel[m] for m in ("baseline", "opt1", "opt2", "opt12"))))
    yield ("Own channels-last kernels make the combination win",
           f"OPT12 {ms(kernel['opt12'])}, fused_bf16 {ms(kernel['fused_bf16'])}", verdict(kernel["fused_bf16"] < min(kernel[m] for m in ("opt1", "opt12"))))
    for name, words in (("tensor_pipe_percent", "Tensor-core use goes up with TF32"), ("l2_hit_percent", "Channels last raises the L2 hit rate"),
                        ("achieved_occupancy_percent", "Channels last changes the achieved occupancy")):
        pairs = (("baseline", "opt1"),) if "TF32" in words else (("baseline", "opt2"), ("opt1", "opt12"))
        values = [(counter(p, a, name), counter(p, b, name)) for a, b in pairs]
        if any(one is None or two is None for one, two in values):
            yield words, "no counters", "not seen here"
            continue
        seen = "; ".join(f"{NAMES[a]} {percent(one)} → {NAMES[b]} {percent(two)}" for (a, b), (one, two) in zip(pairs, values))
        gains = [two - one for one, two in values]  # points; which launches were counted moves the means by one or two
        clear = sum(abs(gain) > CLEAR for gain in gains)
        if "changes" in words:
            yield words, seen, verdict(True) if clear == len(gains) else "no clear difference"
        else:
            yield words, seen, verdict(all(gain > CLEAR for gain in gains)) if clear else "no clear difference"


def figures(p):
    """What such a study draws: counters of a training step, summed over it or weighted by time."""
    rows = (("SM cycles, G", "sm_cycles", 1e9), ("executed instructions, G", "instructions", 1e9), ("of the tensor pipe, M", "tensor_instructions", 1e6),
            ("tensor pipe active, %", "tensor_pipe_percent", 1), ("FMA pipe active, %", "fma_pipe_percent", 1), ("SM throughput, %", "sm_throughput_percent", 1),
            ("achieved occupancy, %", "achieved_occupancy_percent", 1), ("L1 hit rate, %", "l1_hit_percent", 1), ("L2 hit rate, %", "l2_hit_percent", 1),
            ("DRAM bandwidth, TB/s", "dram_bandwidth_bytes_per_s", 1e12), ("share of kernel time counted, %", "coverage", 0.01))
    yield "| counters of a training step | " + " | ".join(NAMES[m] for m in p) + " |"
    yield "| --- |" + " ---: |" * len(p)
    for title, name, scale in rows:
        values = [counter(p, m, name) for m in p]
        yield f"| {title} | " + " | ".join("–" if v is None else f"{v / scale:.4g}" for v in values) + " |"


def main():
    worker = sys.argv[1]
    profiles = {m: report(worker, m) for m in NAMES}
    device = profiles["baseline"]["device"]
    print(f"| claim | as recorded on one {device} | verdict |\n| --- | --- | --- |")
    for claim, seen, words in claims(profiles):
        print(f"| {claim} | {seen} | {words} |")
    print()
    print("\n".join(figures(profiles)))
    print("\n| mode | kernels, training step | by the host's clock, unprofiled | difference | kernels, sampling step | unprofiled |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for mode, r in profiles.items():
        train, sample = r, r["others"][0]
        measured = train["unprofiled_ms_per_step"]
        print(f"| {mode} | {ms(train['kernel_ms_per_step'])} | {ms(measured)} | {100 * (train['kernel_ms_per_step'] / measured - 1):+.1f} % "
              f"| {ms(sample['kernel_ms_per_step'])} | {ms(sample['unprofiled_ms_per_step'])} |")


main()
