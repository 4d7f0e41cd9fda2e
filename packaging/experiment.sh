#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A whole experiment with one command: modes × samplers × steps, speed by benchmark, volumes at equal seeds, their quality, and a report.
# Started again after a crash, it goes on where it was: runs that have ended are left alone, others are resumed.
set -u
usage() {
  cat <<'END'
packaging/experiment.sh -o FOLDER --checkpoint WEIGHTS --masks MASKS --real IMAGES [option…]
  --modes LIST        modes, separated by commas (baseline,opt1,opt2,opt12,bf16,fused_tf32,fused_bf16)
  --samplers LIST     SAMPLER:STEPS, separated by commas (dpm_solver:20,ddim:50,ddpm:250)
  --size N            side of the benchmark's volumes (128)
  --steps N           timed steps a mode (9)
  --device NAME       auto, cpu, cuda:0 … (auto)
  --worker PROGRAM    voxlab-worker (build/bin/voxlab-worker, or on the PATH)
  --limit SECONDS     takes nothing new up after so long (no limit)
Writes FOLDER/runs/…, FOLDER/report.html, .json, .csv, .txt and FOLDER/experiment.voxrun.
END
}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out='' checkpoint='' masks='' real='' size=128 steps=9 device=auto limit=0
modes=baseline,opt1,opt2,opt12,bf16,fused_tf32,fused_bf16 samplers=dpm_solver:20,ddim:50,ddpm:250
worker=$here/build/bin/voxlab-worker
[ -x "$worker" ] || worker=voxlab-worker
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -o | --output) out=${2-} ;;
    --modes | --samplers | --size | --steps | --device | --worker | --limit | --checkpoint | --masks | --real) printf -v "${1#--}" %s "${2-}" ;;
    *) echo "experiment.sh: there is no option $1; --help lists them." >&2; exit 2 ;;
  esac
  shift $(($# > 1 ? 2 : 1))
done
if [ -z "$out" ] || [ -z "$checkpoint" ] || [ -z "$masks" ]; then
  usage >&2
  exit 2
fi
runs=$out/runs
mkdir -p "$runs"
export OMP_WAIT_POLICY=passive

in_time() { [ "$limit" -eq 0 ] || [ $SECONDS -lt "$limit" ]; }
ended() { [ -e "$1/finished.json" ] && ! grep -q '"lost"' "$1/finished.json"; }

# job NAME KIND [option…]: does a job once, whatever happened before.
job() {
  local run=$runs/$1 kind=$2
  shift 2
  ended "$run" && return 0
  in_time || { echo "no time left for ${run##*/}" >&2; return 1; }
  echo "$(date +%T) ${run##*/}" >&2
  if [ -e "$run/events.jsonl" ]; then
    "$worker" -q run "$run" --resume >/dev/null
  elif [ -e "$run/run.json" ]; then
    "$worker" -q run "$run" >/dev/null
  else
    "$worker" -q "$kind" --run-dir "$run" --set device="$device" "$@" >/dev/null
  fi
}

job speed_$size bench --title "Modes at $size³" --set bench.modes="$modes" --set data.size="$size,$size,$size" --set bench.steps="$steps"
for sampling in ${samplers//,/ }; do
  sampler=${sampling%:*} count=${sampling#*:} eta=0
  [ "$sampler" != dpm_solver ] || eta=1
  for mode in ${modes//,/ }; do
    name=${sampler}_${count}_$mode
    job "sample_$name" sample --set sample.checkpoint="$checkpoint" --set sample.masks="$masks" --set mode="$mode" --set sample.sampler="$sampler" \
      --set sample.steps="$count" --set sample.eta=$eta || continue
    [ -z "$real" ] || job "quality_$name" quality --set quality.synthetic="$runs/sample_$name" --set quality.real="$real" || true
  done
done
baseline=${modes%%,*}
for format in html json csv text; do
  "$worker" -q compare "$runs"/* --baseline "$baseline" --title "Modes, samplers and steps" --format $format -o "$out/report.${format/text/txt}" || exit
done
"$worker" -q pack "$runs"/* -o "$out/experiment.voxrun" >/dev/null
echo "$out/report.html"
