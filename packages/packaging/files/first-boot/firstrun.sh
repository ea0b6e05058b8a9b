#!/bin/sh
# Called once by the kernel's command line (systemd.run), which then restarts the Pi.
boot=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# If it fails, the call stays in cmdline.txt and the next boot tries again.
if ! sh "$boot/lintel/start.sh"; then
  echo 'lintel: the first boot could not be set up, trying again' >/dev/console
  sleep 10
  exit 0
fi

# Removes the call before the script: a call of a missing script would stop every boot.
sed 's/ systemd\.run[^ ]*//g; s/ systemd\.unit=kernel-command-line\.target//g' "$boot/cmdline.txt" >"$boot/cmdline.new"
sync
mv -f "$boot/cmdline.new" "$boot/cmdline.txt"
sync
rm -f "$boot/firstrun.sh"
sync
