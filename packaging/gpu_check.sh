#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What only a GPU can show of the fused kernels: that they are right, that they keep the image's quality, how fast they are. Runs
# programs of a build folder or of a bundle (packaging/bundle.sh), installs nothing, and takes about eight minutes on an H200.
#   packaging/gpu_check.sh [--bundle FOLDER] [--data FOLDER] [-o FOLDER] [PART …]
# Parts, all when none is named:
#   tests       the tests that need a GPU: layers against LibTorch in double, noise, determinism, replayed against eager steps
#   sanitizer   compute-sanitizer's memcheck and racecheck over the kernels' tests, two minutes at most
#   kernels     every kernel beside what it replaces and beside a copy of its bytes (voxlab-worker bench --kernels)
#   modes       sampling and training steps of the full network, their gaps, and where their time goes (layout conversions above all)
#   nvml        what reading NVML twice a second costs: the same benchmark without and with it, in turn
#   quality     predictions, volumes at equal seeds and training of the fused modes against the unfused ones
# --data: images/ and masks/, as packaging/demo_data.sh makes them; without it the part "quality" is left out.
# -o: where the full outputs go (dist/gpu_check). The exit code is 1 when a part failed.
# The program of the last part is built by: cmake --build build --target mode_quality
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bundle='' data='' output=$root/dist/gpu_check parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --bundle) bundle=${2:?--bundle wants a folder}; shift 2 ;;
    --data) data=${2:?--data wants a folder}; shift 2 ;;
    -o) output=${2:?-o wants a folder}; shift 2 ;;
    -h | --help) sed -n '3,17s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    tests | sanitizer | kernels | modes | nvml | quality) parts+=("$1"); shift ;;
    *) printf 'There is no part or option "%s"; --help lists them.\n' "$1" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(tests sanitizer kernels modes nvml quality)
mkdir -p "$output" || exit 1
export VOXLAB_PARITY_DIR=${VOXLAB_PARITY_DIR:-$root/tests/data/parity}

failed=()
headline() { printf '\n== %s\n' "$*"; }
fail() { failed+=("$1"); printf 'FAILED: %s\n' "$1"; }
path_of() { # PROGRAM: the file that is run
  if [ -n "$bundle" ]; then printf '%s\n' "$bundle/bin/$1"; else printf '%s\n' "$root/build/bin/$1"; fi
}
have() {
  [ -x "$(path_of "$1")" ] && return 0
  fail "$1 is not there"
  return 1
}
# logged NAME SECONDS PROGRAM arguments…: runs it that long at most; its output goes to NAME.txt
logged() {
  local name=$1 limit=$2 program=$3 code
  shift 3
  have "$program" || return 1
  if [ -n "$bundle" ]; then
    timeout "$limit" "$bundle/run" "$program" "$@" >"$output/$name.txt" 2>&1
  else
    timeout "$limit" "$root/build/bin/$program" "$@" >"$output/$name.txt" 2>&1
  fi
  code=$?
  [ $code -eq 0 ] || fail "$name (exit code $code)"
  return $code
}

run_tests() {
  logged tests_kernels 60 test_core_kernels_gpu
  tail -n 3 "$output/tests_kernels.txt"
  logged tests_layers 100 test_parity_cuda --gtest_filter='FusedLayersGpu.*:Gpu.*'
  grep -E '^\[  (PASSED|FAILED|SKIPPED)|relative difference|replayed weights|Failure$|gradient of leaf|Which is|actual:|ms\)$' "$output/tests_layers.txt" | head -n 90
}

run_sanitizer() {
  local sanitizer candidate
  sanitizer=$(command -v compute-sanitizer)
  for candidate in /usr/local/cuda*/bin/compute-sanitizer; do
    [ -n "$sanitizer" ] || [ ! -x "$candidate" ] || sanitizer=$candidate
  done
  if [ -z "$sanitizer" ]; then
    printf 'There is no compute-sanitizer here: it comes with the CUDA toolkit.\n'
    return
  fi
  have test_core_kernels_gpu || return
  local tool pids=()
  for tool in memcheck racecheck; do # the kernels' tests need no LibTorch, so the sanitizer sees them alone
    LD_LIBRARY_PATH=${bundle:+$bundle/lib:}${LD_LIBRARY_PATH:-} timeout 120 "$sanitizer" --tool "$tool" --error-exitcode 9 --print-limit 5 "$(path_of test_core_kernels_gpu)" >"$output/$tool.txt" 2>&1 &
    pids+=("$tool=$!")
  done
  local entry
  for entry in "${pids[@]}"; do
    tool=${entry%=*}
    wait "${entry#*=}"
    local code=$?
    grep -hE 'ERROR SUMMARY|RACECHECK SUMMARY|PASSED|FAILED' "$output/$tool.txt"
    if [ $code -eq 124 ]; then
      printf '%s: stopped after two minutes, %s of %s tests done\n' "$tool" "$(grep -c '^\[       OK' "$output/$tool.txt")" "$(grep -oE 'Running [0-9]+' "$output/$tool.txt" | grep -oE '[0-9]+')"
      grep -q '=========.*\(Invalid\|hazard\|Error\)' "$output/$tool.txt" && fail "$tool"
    elif [ $code -ne 0 ]; then
      fail "$tool (exit code $code)"
    fi
  done
}

run_kernels() {
  logged kernels 90 voxlab-worker bench --kernels --device cuda:0
  cat "$output/kernels.txt"
}

run_modes() {
  local size
  for size in 128 64; do
    rm -rf "$output/modes_$size" "$output/profile_$size"
    logged "modes_$size" 120 voxlab-worker bench --run-dir "$output/modes_$size" --device cuda:0 --size "$size" --steps 10 --set bench.turns=2 --set bench.trace=true \
      --modes opt1,fused_bf16,fused_bf16_graph,fused_fp16_graph,fused_tf32_graph
    cut -c1-200 "$output/modes_$size.txt"
    logged "profile_$size" 60 voxlab-worker profile --run-dir "$output/profile_$size" --device cuda:0 --size "$size" --mode fused_bf16 --steps 2 &&
      logged "report_$size" 30 voxlab-worker report "$output/profile_$size" --format text
    cut -c1-150 "$output/report_$size.txt" | head -n 60
  done
}

run_nvml() {
  local turn every
  for turn in 1 2; do
    for every in 0 500; do
      rm -rf "$output/nvml"
      logged "nvml_${every}_$turn" 60 voxlab-worker bench --run-dir "$output/nvml" --device cuda:0 --size 64 --steps 60 --what train --set bench.turns=1 --set "gpu_every_ms=$every" \
        --modes opt1,bf16_graph,fused_bf16_graph --format csv
      sed "s/^/every $every ms,/" "$output/nvml_${every}_$turn.txt" | cut -d, -f1-5
    done
  done
}

run_quality() {
  if [ -z "$data" ]; then
    printf 'Left out: --data names no folder.\n'
    return
  fi
  logged quality 280 mode_quality --device cuda:0 --data "$data" --weights "$root/resources/starter/starter_head64.safetensors"
  cat "$output/quality.txt"
}

for part in "${parts[@]}"; do
  headline "$part"
  begin=$SECONDS
  "run_$part"
  printf '(%s: %d s)\n' "$part" $((SECONDS - begin))
done
headline "$([ ${#failed[@]} -eq 0 ] && echo 'All well.' || echo "Failed: $(printf '%s; ' "${failed[@]}")")"
[ ${#failed[@]} -eq 0 ]
