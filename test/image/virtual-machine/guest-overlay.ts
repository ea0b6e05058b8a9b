import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { GuestModules } from './build-guest-kernel-modules.ts';

/** Creates a gpio-sim chip with the label of the profile. */
const GPIO_SCRIPT = `#!/bin/sh
modprobe gpio-sim
chip=/sys/kernel/config/gpio-sim/lintel
mkdir -p $chip/bank0
echo 32 >$chip/bank0/num_lines
echo lintel-sim >$chip/bank0/label
echo 1 >$chip/live
until udevadm settle; do sleep 1; done
`;

/** Reports each change of the relay line. Starts no process per poll, which in emulation takes longer than a door stays open. */
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

const FIGURES_SCRIPT = `#!/bin/sh
while true; do
  pid=$(systemctl show --property=MainPID --value lintel-controller.service)
  resident=$(sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$pid/status 2>/dev/null)
  echo "image-test resident_kb \${resident:-0}"
  echo "image-test serial_ports $(ls /sys/class/tty | grep -c ttyUSB)"
  sleep 3
done
`;

const unit = (description: string, service: readonly string[], order: readonly string[]): string =>
  ['[Unit]', `Description=${description}`, ...order, '', '[Service]', ...service, ''].join('\n');

const UNITS: Readonly<Record<string, string>> = {
  'image-test-gpio.service': unit(
    'Simulated GPIO',
    ['Type=oneshot', 'RemainAfterExit=yes', 'TimeoutStartSec=infinity', 'ExecStart=/usr/lib/image-test/gpio'],
    ['After=sys-kernel-config.mount', 'Before=lintel-controller.service'],
  ),
  'image-test-gpio-watch.service': unit(
    'Relay line, reported to the host',
    [
      'ExecStart=/usr/lib/image-test/gpio-watch',
      'StandardOutput=file:/dev/virtio-ports/lintel.gpio',
      'Restart=on-failure',
    ],
    ['Requires=image-test-gpio.service', 'After=image-test-gpio.service'],
  ),
  'image-test-figures.service': unit('Figures of the controller', ['ExecStart=/usr/lib/image-test/figures'], []),
  'image-test-journal.service': unit(
    'Journal, forwarded to the host',
    [
      'ExecStart=/usr/bin/journalctl --follow --no-tail --output=short-monotonic',
      'StandardOutput=file:/dev/virtio-ports/lintel.journal',
      'Restart=on-failure',
    ],
    [],
  ),
};

/** An emulated machine on a busy host exceeds the time limits of a real one. */
const UNLIMITED: Readonly<Record<string, string>> = {
  'etc/systemd/system/lintel-controller.service.d/image-test.conf': '[Service]\nWatchdogSec=30min\n',
  'etc/systemd/system.conf.d/image-test.conf':
    '[Manager]\nDefaultTimeoutStartSec=30min\nDefaultDeviceTimeoutSec=30min\n',
};

const write = (folder: string, path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), mode);
};

/** The files that the test adds to the image. */
export const guestOverlay = (folder: string, modules: GuestModules): string => {
  for (const file of modules.files) {
    const place = join(folder, `usr/lib/modules/${modules.kernel}/updates`);
    mkdirSync(place, { recursive: true });
    copyFileSync(file, join(place, basename(file)));
  }
  for (const [path, text] of Object.entries(UNLIMITED)) write(folder, path, text);
  write(folder, 'usr/lib/image-test/gpio', GPIO_SCRIPT, 0o755);
  write(folder, 'usr/lib/image-test/gpio-watch', WATCH_SCRIPT, 0o755);
  write(folder, 'usr/lib/image-test/figures', FIGURES_SCRIPT, 0o755);
  const wantsFolder = join(folder, 'etc/systemd/system/multi-user.target.wants');
  mkdirSync(wantsFolder, { recursive: true });
  for (const [name, text] of Object.entries(UNITS)) {
    write(folder, `usr/lib/systemd/system/${name}`, text);
    symlinkSync(`/usr/lib/systemd/system/${name}`, join(wantsFolder, name));
  }
  return folder;
};
