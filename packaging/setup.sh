#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building and running Voxlab needs: Debian packages, and LibTorch from PyPI in a virtual environment of its
# own (VOXLAB_VENV, by default ~/.local/share/voxlab/venv). Says what it will download before it does. Running it again
# installs only what is missing.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
packaging/setup.sh [--cuda | --cpu] [--skip-system] [--plan]
  --cuda         CUDA libraries, and a CUDA compiler from PyPI where the system has none
  --cpu          only what a machine without an NVIDIA GPU needs
                 neither: CUDA where there is an NVIDIA GPU or a CUDA 13 toolkit, otherwise CPU
  --skip-system  leave Debian's packages alone
  --plan         say what would be downloaded, and stop
Environment: VOXLAB_VENV names the virtual environment; one that holds a LibTorch of yours is used as it is.
Torch_DIR or Torch_ROOT names a LibTorch of yours: then no environment is made.
TEXT
}

device=auto system=yes plan_only=no
for argument in "$@"; do
  case $argument in
    --cuda) device=cuda ;;
    --cpu) device=cpu ;;
    --skip-system) system=no ;;
    --plan) plan_only=yes ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && die "unknown option $argument." ;;
  esac
done

[ "$(uname -sm)" = "Linux x86_64" ] || die "Voxlab builds on 64-bit PC Linux; this is $(uname -sm)."

sets=cpu
if [ $device = cuda ] || { [ $device = auto ] && { has_nvidia_gpu || system_nvcc >/dev/null; }; }; then
  sets="cpu gpu"
  system_nvcc >/dev/null || sets="cpu gpu nvcc"
fi

# ---- Debian packages -------------------------------------------------------------------------------------------------
debian_missing=()
as_root=()

find_missing_debian_packages() {
  local wanted installed package
  mapfile -t wanted < <(grep -v '^#' "$root/packaging/debian-packages.txt")
  [ -n "$(command -v dpkg-query)" ] || # no Debian
    die "this system has no apt. Install the counterparts of packaging/debian-packages.txt yourself, then run packaging/setup.sh --skip-system."
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^ii *//p' || true)
  for package in "${wanted[@]}"; do
    grep -qx -- "$package" <<<"$installed" || debian_missing+=("$package")
  done
}

become_root() {
  [ "$(id -u)" = 0 ] && return
  local how="ask an administrator to run: apt-get install --no-install-recommends ${debian_missing[*]}"
  command -v sudo >/dev/null || die "Debian packages are missing and there is no sudo; $how"
  as_root=(sudo)
  sudo -n true 2>/dev/null && return
  [ -t 0 ] || die "Debian packages are missing, and sudo wants a password but there is no terminal to ask on; $how"
  say "sudo will ask for your password to install Debian packages."
  sudo true || die "Debian packages are missing, and sudo refused; $how"
}

apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null; }

plan_debian_packages() { # prints apt's own figures; leaves the disk space in debian_mb
  local simulation
  if [ -n "$(dpkg --audit 2>/dev/null)$(ls /var/lib/dpkg/updates 2>/dev/null)" ]; then
    say "An earlier installation was interrupted; finishing it first."
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a </dev/null >"$log" ||
      die "dpkg could not finish an interrupted installation; its message stands above."
  fi
  say "Asking Debian for its list of packages (about 10 MB)…"
  apt -qq -o APT::Update::Error-Mode=any update || die "the list of Debian packages could not be fetched; apt's message stands above. Check the network, then run this again."
  simulation=$(apt --assume-no --no-install-recommends install "${debian_missing[@]}" 2>&1 || true)
  grep -q '^After this operation' <<<"$simulation" || {
    grep -v '^Waiting for' <<<"$simulation" | tail -n 8
    die "apt cannot install all of them; its reason stands above. Supported: Debian 12 (Ubuntu 24.04 is intended, untested)."
  }
  say "Debian packages (with what they need: $(sed -n 's/^\([0-9]*\) upgraded, \([0-9]*\) newly.*/\2/p' <<<"$simulation")):"
  sed -n 's/^Need to get/  download:/p; s/^After this operation,/  on disk: /p' <<<"$simulation"
  # Twice the archives' size at most, and what is unpacked; 2600 MB where apt words it differently.
  debian_mb=$(sed -n 's/^After this operation, \([0-9,.]*\) MB.*/\1/p' <<<"$simulation" | tr -d ,)
  debian_mb=${debian_mb%.*}
  debian_mb=$((${debian_mb:-2600} * 4 / 3 + 50))
}

install_debian_packages() {
  headline "Installing Debian packages"
  apt -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends install "${debian_missing[@]}" >"$log" 2>&1 || {
    tail -n 8 "$log"
    die "Debian packages could not be installed; the end of apt's messages stands above, all of them are in $log. Run this again when that is mended: what has arrived is kept."
  }
  say "done ($(elapsed))"
}

# ---- LibTorch --------------------------------------------------------------------------------------------------------
wheel_plan=

plan_wheels() {
  if own_libtorch; then
    say "LibTorch: yours, ${Torch_DIR:-$Torch_ROOT}"
  elif ! venv_is_ours; then
    venv_has_torch || die "$venv is an environment of yours, and there is no LibTorch in it. Install one there (pip install torch==2.11.0), or set VOXLAB_VENV to a new folder."
    say "LibTorch: the one in your environment $venv, used as it is"
  else
    # shellcheck disable=SC2086 # the sets are words
    wheel_plan=$(missing_wheels $sets)
    [ -n "$wheel_plan" ] || return 0
    say "LibTorch from PyPI (${sets// /, }) into $venv: $(wc -l <<<"$wheel_plan") wheels"
    awk '{d += $2; i += $3} END {printf "  download: %d MB\n  on disk:  %d MB\n", d, i}' <<<"$wheel_plan"
  fi
}
# While a wheel is unpacked its archive lies beside it.
wheels_mb() { [ -n "$wheel_plan" ] && awk '{i += $3; if ($2 > m) m = $2} END {print i + m + 100}' <<<"$wheel_plan" || echo 0; }

make_venv() {
  if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    { mkdir -p "$venv" && touch "$venv_mark"; } || die "$venv cannot be written. Set VOXLAB_VENV to a folder of yours."
    rm -rf "${venv:?}"/{bin,include,lib,lib64,pyvenv.cfg} # of a Python that is gone, or half made
    python3 -m venv "$venv" || die "the virtual environment $venv could not be made; Python's message stands above."
  fi
}

install_wheels() {
  local requirement download installed scratch=$venv/download
  headline "Installing LibTorch"
  make_venv
  mkdir -p "$scratch"
  # One at a time, so that a download that breaks off costs only itself. The scratch folder is on the same disk: /tmp may be small.
  while read -r requirement download installed; do
    say "  $requirement ($download MB)"
    TMPDIR=$scratch "$venv/bin/python" -m pip install --quiet --no-deps --no-cache-dir --disable-pip-version-check \
      --only-binary :all: --ignore-installed --retries 5 --timeout 60 "$requirement" </dev/null ||
      die "$requirement could not be fetched from PyPI; pip's message stands above. Check the network, then run this again: the wheels that have arrived are kept."
  done <<<"$wheel_plan"
  rm -rf "$scratch"
  say "done ($(elapsed))"
}

# ---- In order: look, say, check, do ----------------------------------------------------------------------------------
log=$(mktemp "${TMPDIR:-/tmp}/voxlab-setup-XXXXXX.log")
debian_mb=0
[ $system = no ] || find_missing_debian_packages
if [ ${#debian_missing[@]} -gt 0 ]; then
  become_root
  plan_debian_packages
fi
plan_wheels
if [ $plan_only = no ]; then
  if same_filesystem / "$venv"; then
    need_space "$venv" $((debian_mb + $(wheels_mb))) "What is missing"
  else
    need_space / $debian_mb "What is missing of Debian's packages"
    need_space "$venv" "$(wheels_mb)" "LibTorch"
  fi
  [ ${#debian_missing[@]} = 0 ] || install_debian_packages
  [ -z "$wheel_plan" ] || install_wheels
  if [[ $sets = *nvcc* ]] && venv_is_ours && ! own_libtorch; then
    "$root/packaging/cuda_prefix.sh" "$(site_packages)" "$cuda_prefix"
  fi
  if [ ${#debian_missing[@]} = 0 ] && [ -z "$wheel_plan" ]; then
    say "Everything is installed already: nothing to download."
  fi
fi
rm -f "$log"
