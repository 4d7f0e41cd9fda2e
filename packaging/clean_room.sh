#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the README's commands where a newcomer starts: in a fresh Debian 12 in a folder, as an ordinary user with sudo (or as
# root), with nothing but git. Clones the committed HEAD of this checkout, and says how long each command took. Needs root
# and debootstrap; the registries are those that this machine's apt and pip are set up for.
#   packaging/clean_room.sh FOLDER [--as-root] [--keep] COMMAND…     e.g. FOLDER packaging/test.sh packaging/run.sh
# --keep goes on in the Debian that an earlier call left there, with a fresh clone: the second clone of a warm machine.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$(id -u)" = 0 ] || die "making a Debian in a folder needs root."
[ $# -ge 2 ] || die "usage: packaging/clean_room.sh FOLDER [--as-root] [--keep] COMMAND…"
room=$1 user=visitor keep=no
shift
while [ "${1#--}" != "$1" ]; do
  case $1 in
    --as-root) user=root ;;
    --keep) keep=yes ;;
    *) die "unknown option $1." ;;
  esac
  shift
done

leave() {
  local point
  for point in "$room"/{dev/shm,dev/pts,dev,proc}; do
    ! mountpoint -q "$point" || umount -l "$point"
  done
}
enter() {
  mount -t proc proc "$room/proc"
  mount -t tmpfs -o mode=755 tmpfs "$room/dev"
  local device
  for device in null zero full random urandom tty; do
    touch "$room/dev/$device"
    cp -a --remove-destination "/dev/$device" "$room/dev/$device"
  done
  ln -s /proc/self/fd "$room/dev/fd"
  mkdir -p "$room/dev/shm" "$room/dev/pts"
  mount -t tmpfs tmpfs "$room/dev/shm"
}

make_debian() {
  leave
  rm -rf --one-file-system "${room:?}"
  debootstrap --variant=minbase --include=git,sudo,ca-certificates bookworm "$room" >"$room.log" 2>&1 ||
    die "debootstrap failed; see $room.log."
  useradd --root "$room" --create-home --shell /bin/bash visitor
  echo 'visitor ALL=(ALL) NOPASSWD: ALL' >"$room/etc/sudoers.d/visitor"
}
# The way to the registries, and nothing else of this machine.
copy_network_settings() {
  cp /etc/resolv.conf /etc/hosts "$room/etc/" 2>/dev/null || true
  rm -f "$room/etc/apt/sources.list"
  cp -r /etc/apt/sources.list* "$room/etc/apt/"
  mkdir -p "$room/etc/apt/apt.conf.d"
  cp /etc/apt/apt.conf.d/99* "$room/etc/apt/apt.conf.d/" 2>/dev/null || true
  cp -r /etc/ssl/certs "$room/etc/ssl/"
  [ ! -d /usr/local/share/ca-certificates ] || cp -r /usr/local/share/ca-certificates "$room/usr/local/share/"
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$room/etc/"
}

trap leave EXIT
if [ $keep = no ]; then
  headline "A fresh Debian 12 in $room"
  make_debian
fi
copy_network_settings
leave
enter
home=$(chroot "$room" getent passwd "$user" | cut -d: -f6)
rm -rf "${room:?}$home/voxlab" "$room/var/voxlab.git"
git clone -q --bare "$root" "$room/var/voxlab.git"
chroot "$room" chown -R "$user" /var/voxlab.git
mapfile -t passed < <(env | grep -E '^(PIP_|[A-Za-z]+_(proxy|PROXY)=)')
inside() { # runs a command line as the visitor, in the clone
  chroot "$room" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME="$home" USER="$user" LANG=C.UTF-8 "${passed[@]}" \
    su "$user" -w PATH,"$(printf '%s\n' "${passed[@]%%=*}" | paste -sd,)" -l -c "$1" </dev/null
}
inside "git clone -q /var/voxlab.git voxlab"
for command in "$@"; do
  headline "$user runs $command"
  start=$SECONDS
  result=0
  inside "cd voxlab && $command" || result=$?
  headline "$command: exit code $result after $(((SECONDS - start) / 60)) min $(((SECONDS - start) % 60)) s; $(du -sm "$room" --exclude="$room/proc" | cut -f1) MB in all"
  [ $result = 0 ] || exit $result
done
