#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Says how fast the studio is here: the viewer's first picture, scrolling, memory and 3D, also off the screen; the kernels page's first view, memory and
# zooming with a trace of a gigabyte (that long in the folder of temporary files). Builds what it needs; uses a virtual display where
# there is none. Run it on an idle machine.
#   packaging/measure_studio.sh [VOLUME]     (a 301 × 370 × 316 phantom where none is named; Debian's mricron-data has ch2better.nii.gz)
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cmake --build "$root/build" --target voxlab-viewer-benchmark voxlab-volume-benchmark voxlab-kernels-benchmark
display=()
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || display=(xvfb-run -a -s "-screen 0 1600x1200x24 -noreset")
"${display[@]}" "$root/build/bin/voxlab-viewer-benchmark" "$@"
# Without a display, so that a GPU draws where there is one; where nothing draws so, on the display.
env -u DISPLAY "$root/build/bin/voxlab-volume-benchmark" || "${display[@]}" "$root/build/bin/voxlab-volume-benchmark"
"${display[@]}" "$root/build/bin/voxlab-kernels-benchmark"
