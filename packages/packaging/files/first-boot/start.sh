#!/bin/sh
# Installs the first-boot service, which resumes after every power cut.
# With `now` it starts at once, otherwise with the next boot.
set -eu

root=${LINTEL_ROOT:-}
card=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scripts=$root/usr/local/lib/lintel
units=$root/etc/systemd/system

[ ! -e "$root/var/lib/lintel-first-boot/done" ] || exit 0

put() {
  cp -- "$1" "$2.new"
  chmod "$3" "$2.new"
  sync
  mv -f -- "$2.new" "$2"
}

mkdir -p "$scripts" "$units/multi-user.target.wants"
put "$card/first-boot.sh" "$scripts/first-boot.sh" 0755
put "$card/lintel-first-boot.service" "$units/lintel-first-boot.service" 0644
ln -sfn ../lintel-first-boot.service "$units/multi-user.target.wants/lintel-first-boot.service"
sync

if [ "${1:-}" = now ]; then
  systemctl daemon-reload
  systemctl --no-block start lintel-first-boot.service
fi
