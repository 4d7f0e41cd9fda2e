# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# What the scripts of this folder share: where things lie, how they speak, how they look at the machine. Sourced.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"
export HOME
# Demo data, and the virtual environment unless VOXLAB_VENV says otherwise.
data_home=${XDG_DATA_HOME:-$HOME/.local/share}/voxlab
venv=${VOXLAB_VENV:-$data_home/venv}    # LibTorch; packaging/cmake/Torch.cmake looks at the same place
export VOXLAB_VENV=$venv
venv_mark=$venv/made-by-voxlab          # absent: somebody else's environment, never changed
cuda_prefix=$venv/cuda                  # CUDA toolkit made from PyPI's wheels

say() { printf '%s\n' "$*"; }
headline() { printf '\n== %s\n' "$*"; }
warn() { printf 'Note: %s\n' "$*" >&2; }
die() {
  printf '\nStopped: %s\n' "$*" >&2
  exit 1
}

elapsed() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }

# The nearest existing folder at or above a path.
existing_parent() {
  local path=$1
  while [ ! -d "$path" ]; do path=$(dirname "$path"); done
  printf '%s\n' "$path"
}
free_mb() { df -Pm "$(existing_parent "$1")" | awk 'NR == 2 {print $4}'; }
same_filesystem() { [ "$(stat -c %d "$(existing_parent "$1")")" = "$(stat -c %d "$(existing_parent "$2")")" ]; }

# need_space PATH MB WHAT: stops before anything is begun that could not be finished.
need_space() {
  local free
  free=$(free_mb "$1")
  [ "$free" -ge "$2" ] || die "$3 needs about $2 MB in $1, and $free MB are free there. Make room and run this again."
}

site_packages() { # of the virtual environment; fails when there is none
  local found
  for found in "$venv"/lib/python3*/site-packages; do
    [ -d "$found" ] && printf '%s\n' "$found" && return 0
  done
  return 1
}
venv_has_torch() {
  local site
  site=$(site_packages) && [ -e "$site/torch/lib/libtorch_cpu.so" ]
}
venv_is_ours() { [ -e "$venv_mark" ] || [ ! -e "$venv" ] || [ -z "$(ls -A "$venv")" ]; }
own_libtorch() { [ -n "${Torch_DIR:-}${Torch_ROOT:-}" ]; }

has_nvidia_gpu() { [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; }

# wheels SET…: "requirement download_MB installed_MB" of each wheel in these sets of wheels.txt.
wheels() {
  awk -v sets=" $* " '!/^#/ && NF && index(sets, " " $1 " ") {print $2, $3, $4}' "$root/packaging/wheels.txt"
}
# A wheel counts when pip has written INSTALLER, which it does after the last file.
wheel_is_installed() { # name==version
  local site name=${1%%==*}
  site=$(site_packages) && [ -e "$site/${name//-/_}-${1##*==}.dist-info/INSTALLER" ]
}
missing_wheels() {
  local requirement download installed
  wheels "$@" | while read -r requirement download installed; do
    wheel_is_installed "$requirement" || printf '%s %s %s\n' "$requirement" "$download" "$installed"
  done
}

# The system's nvcc, if it is of the CUDA generation that the wheel is built with; else fails.
wheel_cuda_major=13
system_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    [ -x "$candidate" ] || continue
    if "$candidate" --version 2>/dev/null | grep -q "release $wheel_cuda_major\."; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Compile jobs: one a core, but a file that includes LibTorch takes up to 1.7 GB.
compile_jobs() {
  local by_memory cores
  cores=$(nproc)
  by_memory=$(awk '/^MemAvailable/ {print int($2 / 1800000)}' /proc/meminfo)
  [ "${by_memory:-1}" -ge 1 ] || by_memory=1
  printf '%s\n' "${VOXLAB_JOBS:-$((cores < by_memory ? cores : by_memory))}"
}
