#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures and builds into build/: packaging/build.sh [--preset NAME] [cmake options: -DWITH_STUDIO=OFF …]
# The compiler's cache lies outside the checkout and does not know the checkout's place, so a second clone builds from it.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=default
if [ "${1:-}" = --preset ]; then
  preset=${2:?--preset wants a name of CMakePresets.json}
  shift 2
fi
cd "$root"

options=("$@")
if own_libtorch; then
  [ -z "${Torch_DIR:-}" ] || options+=("-DTorch_DIR=$Torch_DIR")
  [ -z "${Torch_ROOT:-}" ] || options+=("-DTorch_ROOT=$Torch_ROOT")
else
  options+=("-DVOXLAB_VENV=$venv")
  if nvcc=$(system_nvcc); then
    export CUDACXX=$nvcc
  elif [ -x "$cuda_prefix/bin/nvcc" ]; then
    export CUDACXX=$cuda_prefix/bin/nvcc
  fi
  if [ -e "$venv_mark" ] && [ -n "$(missing_wheels gpu)" ]; then
    options+=(-DVOXLAB_CUDA=OFF) # no CUDA libraries to build against; packaging/setup.sh --cuda brings them
  fi
fi

export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

need_space "$root" 1500 "The build"
headline "Configuring (preset $preset)"
cmake --preset "$preset" "${options[@]}" || die "CMake could not configure the build; its message stands above. packaging/setup.sh installs what is missing."
headline "Building with $(compile_jobs) jobs"
cmake --build build -j "$(compile_jobs)" || die "the build failed; the compiler's message stands above."
say "built in $(elapsed)"
