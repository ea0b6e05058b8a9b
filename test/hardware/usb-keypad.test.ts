import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls';
import { linuxSystemCalls } from '@lintel/service/linux/linux-system-calls';
import { UsbKeypad } from '../../packages/drivers/src/keypads/usb-keypad/usb-keypad.ts';
import type { PartFault } from '@lintel/drivers/ports/part-fault';
import { beforeEach, describe, expect, it } from 'vitest';
import { keypadContract } from './port-suites/keypad.ts';

const codes: Readonly<Record<string, number>> = {
  ...Object.fromEntries([82, 79, 80, 81, 75, 76, 77, 71, 72, 73].map((code, digit) => [String(digit), code])),
  '*': 55,
  '#': 96,
};

const record = (type: number, code: number, value: number): Buffer => {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt16LE(type, 16);
  bytes.writeUInt16LE(code, 18);
  bytes.writeInt32LE(value, 20);
  return bytes;
};

const keystroke = (code: number): Buffer =>
  Buffer.concat([record(1, code, 1), record(0, 0, 0), record(1, code, 0), record(0, 0, 0)]);

/** Sends recorded events through a real file descriptor, and simulates the calls that a pipe does not support. */
const openPipe = () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-keypad-'));
  const path = join(folder, 'event-kbd');
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  const writer = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const ioctls: string[] = [];
  let [isPlugged, read] = [true, 0];
  const check = (): void => {
    if (!isPlugged) throw Object.assign(new Error('ENODEV'), { code: 'ENODEV' });
  };
  const calls: DeviceSystemCalls = {
    ...linuxSystemCalls,
    ioctl: (_, request, argument) => {
      check();
      if (request === 0x40044590) ioctls.push(`grab ${String(argument)}`);
    },
    read: (fd, into) => {
      check();
      const length = linuxSystemCalls.read(fd, into);
      read += length;
      return length;
    },
  };
  const keypad = new UsbKeypad({ path, clock: new ProcessClock(), calls });
  return {
    ioctls,
    keypad,
    write: (bytes: Uint8Array) => writeSync(writer, bytes),
    bytesRead: () => read,
    press: async (keys: string) => {
      const all = Buffer.concat(Array.from(keys, key => keystroke(codes[key]!)));
      const expected = read + all.length;
      writeSync(writer, all);
      await expect.poll(() => read).toBe(expected);
    },
    unplug: async () => {
      isPlugged = false;
      renameSync(path, `${path}-gone`);
    },
    plugIn: async () => {
      renameSync(`${path}-gone`, path);
      isPlugged = true;
    },
    close: async () => {
      keypad.close();
      closeSync(writer);
      rmSync(folder, { recursive: true });
    },
  };
};

keypadContract('USB keypad with recorded events', async () => openPipe());

describe('UsbKeypad', () => {
  it('grabs the device before reading, and again after it was plugged in', async () => {
    const { close, ioctls, keypad, plugIn, unplug } = openPipe();
    const faults: (PartFault | null)[] = [];
    keypad.onFault(fault => faults.push(fault));
    expect(ioctls).toEqual(['grab 1']);
    await unplug();
    await expect.poll(() => faults.at(-1)?.kind).toBe('absent');
    await plugIn();
    await expect.poll(() => ioctls).toEqual(['grab 1', 'grab 1']);
    await close();
  });

  it('does not use a device that another program has grabbed', () => {
    const calls: DeviceSystemCalls = {
      ...linuxSystemCalls,
      open: () => 99,
      close: () => undefined,
      ioctl: () => {
        throw Object.assign(new Error('ioctl: EBUSY'), { code: 'EBUSY' });
      },
      watch: () => {
        throw new Error('it was read');
      },
    };
    const keypad = new UsbKeypad({ path: '/dev/input/event0', clock: new ProcessClock(), calls });
    const faults: (PartFault | null)[] = [];
    keypad.onFault(fault => faults.push(fault));
    expect(faults).toEqual([{ kind: 'broken', message: 'ioctl: EBUSY' }]);
    keypad.close();
  });

  it('reports no key for random records', async () => {
    const { bytesRead, close, keypad, press, write } = openPipe();
    const keys: string[] = [];
    keypad.onKey(key => keys.push(key));
    const noise = Buffer.concat(Array.from({ length: 100 }, (_, index) => record(index % 32, 200 + index, index * 99)));
    for (let sent = 0; sent < 2 ** 20; sent += noise.length) {
      write(noise);
      await expect.poll(bytesRead, { interval: 1 }).toBe(sent + noise.length);
    }
    await press('42');
    await expect.poll(() => keys.join('')).toBe('42');
    await close();
  });
});

const program = fileURLToPath(new URL('../support/hardware/uinput-keypad.py', import.meta.url));

const canMakeKeypads = (): boolean => {
  try {
    accessSync('/dev/uinput', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const openMade = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-uinput-'));
  const path = join(folder, 'event-kbd');
  let device: ChildProcessByStdio<Writable, Readable, null>;
  const plugIn = async (): Promise<void> => {
    device = spawn('python3', ['-I', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [node] = (await once(createInterface(device.stdout), 'line')) as [string];
    symlinkSync(node, path);
  };
  const unplug = async (): Promise<void> => {
    unlinkSync(path);
    device.stdin.end();
    await once(device, 'exit');
  };
  await plugIn();
  let read = 0;
  const calls: DeviceSystemCalls = {
    ...linuxSystemCalls,
    read: (fd, into) => {
      const length = linuxSystemCalls.read(fd, into);
      read += length;
      return length;
    },
  };
  const keypad = new UsbKeypad({ path, clock: new ProcessClock(), calls });
  return {
    keypad,
    press: async (keys: string) => {
      const expected = read + keys.length * keystroke(0).length;
      device.stdin.write(Array.from(keys, key => `${codes[key]}\n`).join(''));
      await expect.poll(() => read).toBe(expected);
    },
    unplug,
    plugIn,
    close: async () => {
      keypad.close();
      await unplug();
      rmSync(folder, { recursive: true });
    },
  };
};

describe('uinput', () => {
  beforeEach(context => {
    if (!canMakeKeypads())
      context.skip('there is no /dev/uinput to make a keypad with (modprobe uinput; not on every host)');
  });

  keypadContract('USB keypad of uinput', openMade);
});
