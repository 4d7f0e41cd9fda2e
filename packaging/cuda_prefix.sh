#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a CUDA toolkit prefix (symbolic links, but for nvcc itself) out of the NVIDIA wheels in a virtual environment, laid
# out as CMake and nvcc expect a toolkit: packaging/cuda_prefix.sh SITE_PACKAGES PREFIX
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 SITE_PACKAGES PREFIX" >&2 && exit 2; }
wheels=$1/nvidia/cu13
prefix=$2
[ -x "$wheels/bin/nvcc" ] || { echo "There is no nvcc in $wheels; packaging/setup.sh --cuda installs it." >&2 && exit 1; }

rm -rf "$prefix"
mkdir -p "$prefix/lib/stubs" "$prefix/targets/x86_64-linux"
ln -s lib "$prefix/lib64"
ln -s ../../lib "$prefix/targets/x86_64-linux/lib"
ln -s ../../include "$prefix/targets/x86_64-linux/include"
for part in bin nvvm include; do
  cp -rs "$wheels/$part/." "$prefix/$part/"
done
for file in "$wheels"/lib/*; do
  name=$(basename "$file")
  ln -s "$file" "$prefix/lib/$name"
  case $name in # the linker looks for the name without a version
    *.so.*) ln -sf "$name" "$prefix/lib/${name%%.so.*}.so" ;;
  esac
done
# nvcc finds its tools beside its own real path.
for tool in nvcc nvcc.profile; do
  cp --remove-destination "$(readlink -f "$prefix/bin/$tool")" "$prefix/bin/$tool"
done
# For linking only: the real driver library comes with NVIDIA's driver.
echo | "${CC:-cc}" -x c - -shared -Wl,-soname,libcuda.so.1 -o "$prefix/lib/stubs/libcuda.so"
