#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From nothing to a trained network on the screen: installs what is missing, builds, makes the demo's data and opens the
# studio with the demo running. With no display the studio draws off-screen, saves a picture and leaves.
#   packaging/run.sh                 the demo
#   packaging/run.sh OPTION…         the studio with these options instead of --demo (voxlab --help lists them)
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

options=("$@")
[ $# -gt 0 ] || options=(--demo)

"$root/packaging/setup.sh"
say "(set-up: $(elapsed))"
"$root/packaging/build.sh" -DWITH_TESTS=OFF # half of the time; packaging/test.sh switches them on
"$root/packaging/demo_data.sh"
say "(ready after $(elapsed))"

newest_run() {
  find "${VOXLAB_RUNS:-$HOME/voxlab-runs}" -mindepth 2 -maxdepth 2 -name run.json -printf '%T@ %h\n' 2>/dev/null | sort -n | tail -n 1 | cut -d' ' -f2-
}

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  headline "Opening the studio"
  exec "$root/build/bin/voxlab" "${options[@]}"
fi

picture=$data_home/demo.png
headline "No display: the studio draws off-screen, which takes some minutes"
rm -f "$picture"
command -v xvfb-run >/dev/null || die "there is no display and no xvfb-run: packaging/setup.sh installs it."
xvfb-run -a -s "-screen 0 1680x1050x24" "$root/build/bin/voxlab" "${options[@]}" --screenshot "$picture" </dev/null ||
  die "the studio ended with exit code $?; its message stands above."
[ -e "$picture" ] || die "the studio left no picture in $picture."
say "Picture: $picture"
say "Runs: ${VOXLAB_RUNS:-$HOME/voxlab-runs}, the newest: $(newest_run)"
say "Took $(elapsed)"
