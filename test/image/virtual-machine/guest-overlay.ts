import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GuestModules } from './guest-modules.ts';

/** A chip of the kernel's simulator under a name that the profile knows, and each change of its line told to the host. */
const GPIO_SCRIPT = `#!/bin/sh
modprobe gpio-sim
chip=/sys/kernel/config/gpio-sim/lintel
mkdir -p $chip/bank0
echo 32 >$chip/bank0/num_lines
echo lintel-sim >$chip/bank0/label
echo 1 >$chip/live
udevadm settle
`;

/** Without a process for each look: an emulated one takes longer to start than a door stays open. */
const WATCH_SCRIPT = `#!/bin/bash
chip=/sys/kernel/config/gpio-sim/lintel
line=/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank0/chip_name)/sim_gpio17/value
exec {nothing}<> <(:)
before=
while read -r value <$line; do
  if [ "$value" != "$before" ]; then echo "gpio17 $value"; fi
  before=$value
  read -r -t 0.02 -u $nothing
done
`;

const TELL_SCRIPT = `#!/bin/sh
while true; do
  pid=$(systemctl show --property=MainPID --value lintel-controller.service)
  resident=$(sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$pid/status 2>/dev/null)
  echo "trial resident_kb \${resident:-0}"
  echo "trial serial_ports $(ls /sys/class/tty | grep -c ttyUSB)"
  sleep 3
done
`;

const unit = (description: string, service: readonly string[], order: readonly string[]): string =>
  ['[Unit]', `Description=${description}`, ...order, '', '[Service]', ...service, ''].join('\n');

const UNITS: Readonly<Record<string, string>> = {
  'trial-gpio.service': unit(
    'Simulated GPIO',
    ['Type=oneshot', 'RemainAfterExit=yes', 'ExecStart=/usr/lib/trial/gpio'],
    ['After=sys-kernel-config.mount', 'Before=lintel-controller.service'],
  ),
  'trial-gpio-watch.service': unit(
    'The line, told to the host',
    ['ExecStart=/usr/lib/trial/gpio-watch', 'StandardOutput=file:/dev/virtio-ports/lintel.gpio', 'Restart=on-failure'],
    ['Requires=trial-gpio.service', 'After=trial-gpio.service'],
  ),
  'trial-tell.service': unit('Figures of the controller', ['ExecStart=/usr/lib/trial/tell'], []),
  'trial-journal.service': unit(
    'The journal, told to the host',
    [
      'ExecStart=/usr/bin/journalctl --follow --no-tail --output=short-monotonic',
      'StandardOutput=file:/dev/virtio-ports/lintel.journal',
      'Restart=on-failure',
    ],
    [],
  ),
};

const write = (folder: string, path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), mode);
};

/** What a machine of this suite has beside the image's own files. */
export const guestOverlay = (folder: string, modules: GuestModules): string => {
  for (const file of modules.files) {
    const place = join(folder, `usr/lib/modules/${modules.kernel}/updates`);
    mkdirSync(place, { recursive: true });
    copyFileSync(file, join(place, basename(file)));
  }
  write(folder, 'usr/lib/trial/gpio', GPIO_SCRIPT, 0o755);
  write(folder, 'usr/lib/trial/gpio-watch', WATCH_SCRIPT, 0o755);
  write(folder, 'usr/lib/trial/tell', TELL_SCRIPT, 0o755);
  const wanted = join(folder, 'etc/systemd/system/multi-user.target.wants');
  mkdirSync(wanted, { recursive: true });
  for (const [name, text] of Object.entries(UNITS)) {
    write(folder, `usr/lib/systemd/system/${name}`, text);
    symlinkSync(`/usr/lib/systemd/system/${name}`, join(wanted, name));
  }
  return folder;
};
