#!/bin/sh
# Turns a fresh Raspberry Pi OS into a door controller, without a network. Power may fail at any time: a step without a
# completion mark runs again, so every step is idempotent and replaces files atomically.
set -eu
umask 077

root=${LINTEL_ROOT:-}
marks=$root/var/lib/lintel-first-boot
data=$root/var/lib/lintel
boot=$root/boot/firmware
[ -d "$boot" ] || boot=$root/boot
card=$boot/lintel

say() { printf 'lintel: %s\n' "$1"; }

# Also on the boot partition, for a Pi without a screen.
tell() {
  say "$1"
  if [ -d "$card" ]; then
    printf '%s\n' "$1" >"$card/TROUBLE.txt" || true
    sync
  fi
}

fail() {
  told=yes
  tell "$1"
  exit 1
}

# In memory, because the disk may be full.
said=$root/run/lintel-first-boot.said
doing=begin
told=

leave() {
  status=$?
  trap - EXIT
  if [ "$status" -eq 0 ]; then exit 0; fi
  if [ -f "$said" ]; then cat "$said"; fi
  if [ -z "$told" ]; then tell "the step $doing failed: $(tail -n 3 "$said" 2>/dev/null || true)"; fi
  exit "$status"
}
trap leave EXIT

setting() { sed -n "s/^$1=//p" "$marks/settings"; }

# folder FOLDER MODE
folder() {
  mkdir -p "$1"
  chmod "$2" "$1"
}

# put FILE TARGET MODE
put() {
  cp -- "$1" "$2.new"
  chmod "$3" "$2.new"
  sync
  mv -f -- "$2.new" "$2"
}

# put_if_there FILE TARGET MODE
put_if_there() {
  if [ -f "$1" ]; then put "$1" "$2" "$3"; fi
}

# Ignores failures: a service may be missing or not ready, and enabled services start with the next boot.
ask() { systemctl --no-block "$@" || say "systemctl $* was refused"; }

# Overwrites the file, so that recovery tools cannot read it from the card.
wipe() {
  head -c "$(wc -c <"$1")" /dev/zero | dd of="$1" conv=notrunc,fsync 2>/dev/null
  rm -f -- "$1"
}

check() {
  (cd "$card" && sha256sum --check --quiet --strict SHA256SUMS) ||
    fail 'files on the card are damaged or missing: prepare the card again, and eject it before you take it out'
  # `lintel image prepare` refuses a card with this file.
  touch "$card/started"
  put "$card/settings" "$marks/settings" 0600
}

secrets() {
  systemd-sysusers --inline 'u lintel - "Lintel door controller" /var/lib/lintel'
  for name in "$data" "$data/technician" "$data/identity" "$data/state"; do folder "$name" 0700; done
  for name in setup-code key.pem certificate.pem; do
    put "$card/secrets/$name" "$data/technician/$name" 0600
  done
  put "$card/secrets/hardware-id" "$data/identity/hardware-id" 0600
  put_if_there "$card/secrets/pending-claim.json" "$data/identity/pending-claim.json" 0600
  # The file of the technician's choice, so that the technician can still change it.
  put_if_there "$card/profile.json" "$data/profile.json" 0600
  setting time_floor_ms >"$data/state/time_floor.json.new"
  sync
  mv -f "$data/state/time_floor.json.new" "$data/state/time_floor.json"
  chown -R lintel:lintel "$data"
  connections=$root/etc/NetworkManager/system-connections
  folder "$connections" 0700
  for name in lintel-wifi lintel-hotspot; do
    put_if_there "$card/secrets/$name.nmconnection" "$connections/$name.nmconnection" 0600
  done
}

# A separate step, so that a partly overwritten file is never used as the secret.
forget_secrets() {
  for file in "$card"/secrets/*; do
    if [ -f "$file" ]; then wipe "$file"; fi
  done
  if [ -d "$card/secrets" ]; then rmdir "$card/secrets"; fi
}

clock() {
  floor=$(($(setting time_floor_ms) / 1000))
  if [ "$(date +%s)" -ge "$floor" ]; then return 0; fi
  # First the file that systemd uses as the earliest possible time.
  folder "$root/var/lib/systemd/timesync" 0755
  touch --date "@$floor" "$root/var/lib/systemd/timesync/clock"
  date --set "@$floor" >/dev/null
}

packages() {
  export DEBIAN_FRONTEND=noninteractive
  # Removes the remains of an interrupted attempt.
  dpkg --force-confold --configure --pending || true
  set --
  for file in "$card"/packages/*.deb; do
    if [ -f "$file" ]; then set -- "$@" "$file"; fi
  done
  if [ $# -gt 0 ]; then
    # A door with a keypad works without the service for card readers.
    dpkg --force-confold --refuse-downgrade --skip-same-version --install "$@" ||
      say 'some of the packages that came along could not be installed'
  fi
  dpkg --force-confold --install "$card"/lintel-controller_*.deb ||
    fail 'the controller could not be installed: journalctl -u lintel-first-boot says why'
  # Unloads the drivers that hold ACR122U readers. From now on the package blocks them.
  modprobe --quiet --remove pn533_usb pn533 nfc || true
}

name() {
  hostname=$(setting hostname)
  if [ -z "$hostname" ]; then return 0; fi
  printf '%s\n' "$hostname" >"$root/etc/hostname.new"
  touch "$root/etc/hosts"
  sed '/^127\.0\.1\.1[[:space:]]/d' "$root/etc/hosts" >"$root/etc/hosts.new"
  printf '127.0.1.1\t%s\n' "$hostname" >>"$root/etc/hosts.new"
  chmod 0644 "$root/etc/hostname.new" "$root/etc/hosts.new"
  sync
  mv -f "$root/etc/hosts.new" "$root/etc/hosts"
  mv -f "$root/etc/hostname.new" "$root/etc/hostname"
  hostname "$hostname" || true
  ask try-restart avahi-daemon.service
}

first_user() { getent passwd 1000 | cut -d: -f1; }

lock_first_user() {
  # The dialog for user name and password would wait for a keyboard.
  systemctl disable userconfig.service || true
  ask stop userconfig.service
  rm -f "$root/etc/ssh/sshd_config.d/rename_user.conf"
  user=$(first_user)
  if [ -n "$user" ]; then usermod --lock "$user"; fi
  systemctl enable getty@tty1.service || true
  ask start getty@tty1.service
}

open_ssh() {
  user=$(first_user)
  if [ -z "$user" ]; then
    user=technician
    useradd --create-home --uid 1000 --shell /bin/bash "$user"
    printf '%s ALL=(ALL) NOPASSWD: ALL\n' "$user" >"$root/etc/sudoers.d/010_$user"
    chmod 0440 "$root/etc/sudoers.d/010_$user"
  fi
  home=$root$(getent passwd "$user" | cut -d: -f6)
  folder "$home/.ssh" 0700
  touch "$home/.ssh/authorized_keys"
  grep -vxF -f "$card/authorized_keys" "$home/.ssh/authorized_keys" >"$home/.ssh/authorized_keys.new" || true
  cat "$card/authorized_keys" >>"$home/.ssh/authorized_keys.new"
  sync
  mv -f "$home/.ssh/authorized_keys.new" "$home/.ssh/authorized_keys"
  chown -R "$user:" "$home/.ssh"
  folder "$root/etc/ssh/sshd_config.d" 0755
  printf 'PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin no\n' \
    >"$root/etc/ssh/sshd_config.d/10-lintel.conf"
  systemctl enable ssh.service
  ask restart ssh.service
}

login() {
  if [ "$(setting user)" = lock ]; then lock_first_user; fi
  case $(setting ssh) in
    key) open_ssh ;;
    off)
      for unit in ssh.socket ssh.service; do
        systemctl disable "$unit" || true
        ask stop "$unit"
      done
      ;;
  esac
}

network() {
  folder "$root/usr/local/lib/lintel" 0755
  put "$card/hotspot.sh" "$root/usr/local/lib/lintel/hotspot.sh" 0755
  put "$card/lintel-hotspot.service" "$root/etc/systemd/system/lintel-hotspot.service" 0644
  # On the hotspot, phones without mDNS resolve the name on the label by DNS.
  folder "$root/etc/NetworkManager/dnsmasq-shared.d" 0755
  printf 'address=/%s.local/10.42.0.1\n' "$(setting name)" >"$root/etc/NetworkManager/dnsmasq-shared.d/lintel.conf"
  rfkill unblock wifi || true
  nmcli radio wifi on || true
  nmcli connection reload || true
}

services() {
  systemctl daemon-reload || true
  systemctl enable lintel-controller.service lintel-hotspot.service
  ask start lintel-controller.service lintel-hotspot.service
}

clear_card() {
  if [ -f "$boot/user-data" ]; then
    sed '/# lintel first boot: begin/,/# lintel first boot: end/d' "$boot/user-data" >"$boot/user-data.new"
    sync
    mv -f "$boot/user-data.new" "$boot/user-data"
  fi
  printf '%s is ready: https://%s.local:8443/\n' "$(setting name)" "$(setting name)" >"$boot/lintel-ready.txt"
  rm -rf "$card"
}

marked() {
  "$1"
  sync
  touch "$marks/$1"
  sync
}

# heard COMMAND…: keeps the error output for the card.
heard() {
  "$@" 2>"$said"
  cat "$said"
  rm -f "$said"
}

step() {
  if [ -e "$marks/$1" ]; then return 0; fi
  say "$1"
  doing=$1
  heard marked "$1"
}

mkdir -p "$root/run"
heard folder "$marks" 0700
# The door first: later steps are retried while it works.
for one in check secrets forget_secrets clock packages network services name login clear_card; do
  step "$one"
done
doing='end'
touch "$marks/done"
sync
rm -f "$root/etc/systemd/system/multi-user.target.wants/lintel-first-boot.service"
say "$(setting name) is ready"
