#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the demo's data from real MRI: three heads, resampled and varied into image and mask pairs, under
# ~/.local/share/voxlab/demo; and Colin 27 with its AAL labels as they are, under ~/.local/share/voxlab/colin27_aal. Fetches what
# is missing (14 MB). Voxlab has to be built: build/bin/voxlab-demo-data does the work.
#   packaging/demo_data.sh [-o FOLDER] [options of voxlab-demo-data: --size 64 --variants 12 --seed 1]
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mricron=/usr/share/mricron/templates # Debian's mricron-data
nilearn=nilearn==0.14.1              # holds the MNI152 template
sources=$data_home/sources
output=$data_home/demo
tool=$root/build/bin/voxlab-demo-data

if [ "${1:-}" = -o ]; then
  output=${2:?-o wants a folder}
  shift 2
fi
[ -x "$tool" ] || die "$tool is not there: run packaging/build.sh first."
[ -e "$mricron/ch2.nii.gz" ] || die "$mricron/ch2.nii.gz is not there: packaging/setup.sh installs Debian's mricron-data."
recipe="2 $*" # the number rises when the same options would make other data
if [ "$(cat "$output/recipe" 2>/dev/null)" = "$recipe" ]; then
  say "Demo data: in $output"
  exit 0
fi
need_space "$data_home" 300 "The demo data"

# Everything arrives in a scratch folder and is moved when it is whole.
scratch=$data_home/scratch-$$
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$sources" "$scratch" || die "$data_home cannot be written."

# A Python that has pip, for fetching only.
pip_python() {
  if "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    printf '%s\n' "$venv/bin/python"
  else
    python3 -m venv "$scratch/venv" >&2 && printf '%s\n' "$scratch/venv/bin/python"
  fi
}
fetch_mni152() {
  local python file
  file=mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz
  [ ! -e "$sources/$file" ] || return 0
  say "Fetching MNI152 from PyPI's $nilearn (12 MB)…"
  python=$(pip_python)
  "$python" -m pip download --quiet --no-deps --no-cache-dir --disable-pip-version-check --only-binary :all: --retries 5 --timeout 60 \
    -d "$scratch" "$nilearn" </dev/null ||
    die "$nilearn could not be fetched from PyPI; pip's message stands above. Check the network, then run this again."
  "$python" -m zipfile -e "$scratch"/nilearn-*.whl "$scratch/nilearn"
  mv "$scratch"/nilearn/nilearn/datasets/data/mni_icbm152_*.nii.gz "$sources/"
}
fetch_itk_head() {
  local examples=insighttoolkit5-examples sandbox=()
  [ ! -e "$sources/KmeansTest_T1UCharRaw.nii.gz" ] || return 0
  say "Fetching a T1 head from Debian's $examples (2 MB)…"
  [ "$(id -u)" != 0 ] || sandbox=(-o APT::Sandbox::User=root)
  (cd "$scratch" && apt-get -qq "${sandbox[@]}" download "$examples" </dev/null && dpkg-deb -x "$examples"_*.deb itk) || return 1
  find "$scratch/itk" -name 'KmeansTest_T1*.nii.gz' -exec mv -t "$sources" {} +
  [ -e "$sources/KmeansTest_T1UCharRaw.nii.gz" ]
}

subjects=(--subject "colin27=$mricron/ch2.nii.gz,$mricron/ch2bet.nii.gz")
fetch_mni152
subjects+=(--subject "mni152=$sources/mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz")
if fetch_itk_head; then
  subjects+=(--subject "itk_head=$sources/KmeansTest_T1UCharRaw.nii.gz,$sources/KmeansTest_T1RawSkullStrip.nii.gz")
else
  warn "Debian's insighttoolkit5-examples could not be fetched; the demo data are made of two heads instead of three."
fi

say "Resampling and varying the heads…"
"$tool" "${subjects[@]}" -o "$scratch/demo" "$@" || die "the demo data could not be made; the reason stands above."
cp "$root"/resources/notices/* "$scratch/demo/"
printf '%s\n' "$recipe" >"$scratch/demo/recipe"
mkdir -p "$(dirname "$output")"
if [ -e "$output" ]; then
  [ -e "$output/recipe" ] || die "$output is there and was not made by this script. Remove it or name another folder with -o."
  mv "$output" "$scratch/old"
fi
mv "$scratch/demo" "$output"

atlas=$data_home/colin27_aal
mkdir -p "$atlas/images" "$atlas/masks"
ln -sf "$mricron/ch2.nii.gz" "$atlas/images/colin27.nii.gz"
ln -sf "$mricron/aal.nii.gz" "$atlas/masks/colin27.nii.gz"
say "Demo data: $(find "$output/images" -name '*.nii.gz' | wc -l) pairs in $output; Colin 27 with AAL labels in $atlas ($(elapsed))"
