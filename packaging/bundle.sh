#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a folder that runs on another machine with a LibTorch of the same version and no Voxlab: the worker, the CUDA module,
# the tests that use a GPU, and the few libraries they need that such a machine lacks. No LibTorch, nothing of NVIDIA's, no C library.
#   packaging/bundle.sh [-o FOLDER]      (default dist/bundle)
# There: FOLDER/voxlab-worker doctor. The launcher looks for LibTorch in TORCH_LIB, else asks PYTHON (python3) where its torch
# lies.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

output=$root/dist/bundle
if [ "${1:-}" = -o ]; then output=${2:?-o wants a folder}; fi
build=$root/build
limit_mb=80
[ -x "$build/bin/voxlab-worker" ] || die "$build/bin/voxlab-worker is not there: run packaging/build.sh first."

making=$output.making
rm -rf "$making"
mkdir -p "$making/bin" "$making/lib"

# Programs: the worker, and what has something to show on a GPU.
for program in voxlab-worker mode_quality test_core_{kernels_gpu,diffusion,execution,profiling} test_parity_{diffusion,cuda}; do
  [ ! -x "$build/bin/$program" ] || cp "$build/bin/$program" "$making/bin/"
done
# The CUDA module is loaded by the worker from beside itself or from ../lib.
find "$build" -maxdepth 2 -name 'libvoxlab_cuda*.so' -exec cp -t "$making/lib" {} +

# Libraries that a plain machine lacks: whatever the loader finds in the system but the C and C++ run time.
left_out='^(ld-linux|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libgomp|libresolv|libutil|libmvec|linux-vdso)[-.]'
of_torch_or_nvidia='^(libtorch|libc10|libcu|libnv|libnccl|libcudnn|libcaffe2|libshm)'
for program in "$making"/bin/* "$making"/lib/*.so; do
  ldd "$program" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}'
done | sort -u | while read -r name path; do
  if [[ $name =~ $left_out || $name =~ $of_torch_or_nvidia || $path = "$venv"/* ]]; then continue; fi
  cp -L "$path" "$making/lib/$name"
done
strip --strip-unneeded "$making"/bin/* "$making"/lib/*.so* 2>/dev/null || true
for file in "$making"/bin/* "$making"/lib/*; do # the paths of this machine mean nothing there
  cmake -D "FILE=$file" -P "$root/packaging/cmake/RemoveRpath.cmake" >/dev/null 2>&1
done

cat >"$making/run" <<'LAUNCHER'
#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program of this bundle with a LibTorch of this machine: run PROGRAM [arguments]
# TORCH_LIB names LibTorch's lib folder; without it PYTHON (python3) is asked where its torch lies.
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
if [ -z "${TORCH_LIB:-}" ]; then
  TORCH_LIB=$("${PYTHON:-python3}" -c 'import importlib.util as u; print(u.find_spec("torch").submodule_search_locations[0] + "/lib")' 2>/dev/null)
fi
if [ ! -e "$TORCH_LIB/libtorch_cpu.so" ]; then
  echo "No LibTorch in '$TORCH_LIB'. Set TORCH_LIB to the lib folder of one, or PYTHON to a python that has torch." >&2
  exit 3
fi
path=$TORCH_LIB
for folder in "$TORCH_LIB"/../../nvidia/*/lib; do
  [ -d "$folder" ] && path=$path:$folder
done
LD_LIBRARY_PATH=$here/lib:$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
program=$1
shift
exec "$here/bin/$program" "$@"
LAUNCHER
chmod +x "$making/run"
for program in "$making"/bin/*; do
  cat >"$making/$(basename "$program")" <<LAUNCHER
#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
exec "\$(dirname "\$(readlink -f "\$0")")/run" $(basename "$program") "\$@"
LAUNCHER
  chmod +x "$making/$(basename "$program")"
done
cp "$root/LICENSE" "$making/"

size=$(du -sm "$making" | cut -f1)
[ "$size" -le $limit_mb ] || die "the bundle has $size MB, and $limit_mb MB is its limit; $making shows what is large."
rm -rf "$output"
mv "$making" "$output"
say "Bundle: $output, $size MB: $(find "$output/bin" -type f | wc -l) programs, $(find "$output/lib" -type f | wc -l) libraries"
