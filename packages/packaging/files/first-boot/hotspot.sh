#!/bin/sh
# Opens a hotspot while the controller is unclaimed and has no network, so that a phone can reach it.
set -u

root=${LINTEL_ROOT:-}
own_address=10.42.0.1
quiet_seconds=60
# An unused hotspot blocks the Wi-Fi of the site for at most this time.
idle_seconds=300
step=5

is_claimed() { [ -s "$root/var/lib/lintel/identity/membership.json" ]; }

has_network() {
  ip -oneline address show scope global up 2>/dev/null | grep -v ' lo ' | grep -qv " $own_address/"
}

has_wifi_of_site() { nmcli -t -f TYPE,NAME connection show 2>/dev/null | grep wireless | grep -qv ':lintel-hotspot$'; }

has_guests() { iw dev wlan0 station dump 2>/dev/null | grep -q '^Station'; }

is_up=no
raise() {
  rfkill unblock wifi
  nmcli radio wifi on
  nmcli connection up lintel-hotspot >/dev/null && is_up=yes
}
drop() {
  nmcli connection down lintel-hotspot >/dev/null
  is_up=no
}

drop 2>/dev/null
seconds=0
while ! is_claimed; do
  if [ "$is_up" = no ]; then
    if has_network; then seconds=0; fi
    if [ "$seconds" -ge "$quiet_seconds" ]; then
      raise
      seconds=0
    fi
  elif has_network; then
    drop
    seconds=0
  elif has_guests; then
    seconds=0
  elif [ "$seconds" -ge "$idle_seconds" ] && has_wifi_of_site; then
    drop
    seconds=0
  fi
  sleep "$step"
  seconds=$((seconds + step))
done

if [ "$is_up" = yes ]; then drop; fi
nmcli connection delete lintel-hotspot >/dev/null
systemctl disable lintel-hotspot.service
