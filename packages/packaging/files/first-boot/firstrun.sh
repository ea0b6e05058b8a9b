#!/bin/sh
# Called once by the kernel's command line (systemd.run), which then restarts the Pi.
boot=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# Where that fails the call stays in cmdline.txt, and the next start tries again.
if ! sh "$boot/lintel/start.sh"; then
  echo 'lintel: the first boot could not be set up, trying again' >/dev/console
  sleep 10
  exit 0
fi

# First the call, then what it calls: a call of nothing would stop every start.
sed 's/ systemd\.run[^ ]*//g; s/ systemd\.unit=kernel-command-line\.target//g' "$boot/cmdline.txt" >"$boot/cmdline.new"
sync
mv -f "$boot/cmdline.new" "$boot/cmdline.txt"
sync
rm -f "$boot/firstrun.sh"
sync
