#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From nothing to tested: installs what is missing, builds with the ci preset and runs every test. What CI calls.
#   packaging/test.sh [cmake options]
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$root/packaging/setup.sh"
setup_time=$(elapsed)
"$root/packaging/build.sh" --preset ci -DWITH_TESTS=ON "$@"
headline "Testing (set-up took $setup_time, with the build $(elapsed))"
cd "$root"
exec ctest --test-dir build --output-on-failure --no-tests=error -j 2
