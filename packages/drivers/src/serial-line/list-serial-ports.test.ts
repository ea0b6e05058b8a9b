import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { listUdevSerialPorts } from './list-serial-ports.ts';

/** Recorded with `udevadm info -e`, shortened. */
const RECORDED = `P: /devices/platform/soc/usb1/1-1/1-1.2/1-1.2:1.0/ttyUSB0/tty/ttyUSB0
N: ttyUSB0
S: serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0
E: DEVNAME=/dev/ttyUSB0
E: ID_VENDOR_ENC=Future\\x20Technology
E: ID_VENDOR_ID=0403
E: ID_MODEL_ID=6001
E: ID_SERIAL_SHORT=A50285BI
E: DEVLINKS=/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0

P: /devices/virtual/mem/null
N: null
E: DEVNAME=/dev/null

P: /devices/platform/soc/fe201000.serial/tty/ttyAMA0
N: ttyAMA0
E: DEVNAME=/dev/ttyAMA0
`;

const folder = mkdtempSync(join(tmpdir(), 'lintel-udevadm-'));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('listUdevSerialPorts returns the ports of udev with their makers', async () => {
  const program = join(folder, 'udevadm');
  writeFileSync(program, `#!/bin/sh\ncat <<'END'\n${RECORDED}END\n`);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  expect(await listUdevSerialPorts()).toEqual([
    { path: '/dev/ttyUSB0', maker: 'Future Technology' },
    { path: '/dev/ttyAMA0', maker: null },
  ]);
});
