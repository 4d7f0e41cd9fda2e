#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures every mode on the first GPU, at 128³ and 64³, and some on the BraTS network, and writes core/execution/BENCHMARKS.md: about six
# minutes on an H200.
#   packaging/benchmarks.sh [--worker PROGRAM] [-o FILE] [--quick] [RUN…]
# RUN…: folders of benchmarks that were recorded already, here or elsewhere, are written instead of measuring. --quick: two steps each.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

worker=$root/build/bin/voxlab-worker
output=$root/core/execution/BENCHMARKS.md
steps=10
runs=()
while [ $# -gt 0 ]; do
  case $1 in
    --worker) worker=${2:?--worker wants a program}; shift ;;
    -o) output=${2:?-o wants a file}; shift ;;
    --quick) steps=2 ;;
    -*) die "$1 is not known. See the head of this script." ;;
    *) runs+=("$1") ;;
  esac
  shift
done
[ -x "$worker" ] || die "$worker is not there: run packaging/build.sh first, or name it with --worker."

if [ ${#runs[@]} -eq 0 ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  measure() { # TITLE, options…
    headline "$1"
    runs+=("$folder/${#runs[@]}")
    "$worker" bench --run-dir "${runs[-1]}" --title "$1" "${@:2}"
  }
  modes=baseline,opt1,opt2,opt12,bf16,fp16,bf16_channels_last,fp16_channels_last,bf16_stored,tf32_graph,bf16_graph
  modes+=,fused_tf32,fused_bf16,fused_fp16,fused_tf32_graph,fused_bf16_graph,fused_fp16_graph
  measure "All modes, 128³" --modes $modes --size 128 --steps "$steps" --set bench.trace=true
  measure "64³" --modes $modes --size 64 --steps "$steps" --set bench.trace=true
  measure "BraTS network, 192 × 192 × 144" --modes opt1,bf16,bf16_graph,fused_tf32_graph,fused_bf16_graph --steps "$steps" --set data.size=192,192,144 \
    --set model.image_channels=4 --set model.condition_channels=4 --set model.residual_blocks=2 --set model.attention_factors=
fi

{
  "$worker" report "${runs[@]}" --format markdown
  cat <<'NOTE'

Each mode is alone on the device. Wall: by the host's clock over each turn, the host one step ahead, shared out to the turn's steps by marks on the
device's stream, from the end of one step to the end of the next; median and quartiles of all steps. What follows from a step's time (× Baseline,
volumes and TFLOP a second, share of the bound) follows from its median; idle: what of it no kernel of a traced step fills. Training: one micro-batch
forward and backward, and Adam, its input on the device; sampling: one evaluation of the network and the sampler's update. Differences
from Baseline are relative, in the Euclidean norm, at equal seeds and random weights. × Baseline and × OPT1: how many times as fast. Made
by `packaging/benchmarks.sh`.
NOTE
} >"$output.making"
mv "$output.making" "$output"
say "Wrote $output."
