#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Says how fast the viewer is here: first picture, scrolling, memory, 3D. Builds what it needs; uses a virtual display where there
# is none. Run it on an idle machine.
#   packaging/measure_viewer.sh [VOLUME]     (a 301 × 370 × 316 phantom where none is named; Debian's mricron-data has ch2better.nii.gz)
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cmake --build "$root/build" --target voxlab-viewer-benchmark
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$root/build/bin/voxlab-viewer-benchmark" "$@"
fi
exec xvfb-run -a -s "-screen 0 1600x1200x24 -noreset" "$root/build/bin/voxlab-viewer-benchmark" "$@"
