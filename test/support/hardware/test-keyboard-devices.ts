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
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { expect, type TestContext } from 'vitest';
import { keystroke } from './evdev-input-records.ts';
import { python } from '../processes/python.ts';

/** A USB keyboard that types key codes. */
export interface TestInputDevice {
  readonly path: string;
  readonly calls: DeviceSystemCalls;
  /** Resolves when the driver has read all events. */
  type(codes: readonly number[]): Promise<void>;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

/** Sends recorded events through a real file descriptor, and simulates the calls that a pipe does not support. */
export const openInputPipe = () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-input-'));
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
  return {
    path,
    calls,
    ioctls,
    write: (bytes: Uint8Array) => writeSync(writer, bytes),
    bytesRead: () => read,
    type: async (codes: readonly number[]) => {
      const all = Buffer.concat(codes.map(keystroke));
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
      closeSync(writer);
      rmSync(folder, { recursive: true });
    },
  } satisfies TestInputDevice & Record<string, unknown>;
};

const program = fileURLToPath(new URL('uinput-keypad.py', import.meta.url));

export const requireUinput = (context: TestContext): void => {
  try {
    accessSync('/dev/uinput', constants.R_OK | constants.W_OK);
  } catch {
    context.skip('there is no /dev/uinput to make a USB keyboard with (modprobe uinput; not on every host)');
  }
};

/** A USB keyboard of the kernel. */
export const openUinputDevice = async (): Promise<TestInputDevice> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-uinput-'));
  const path = join(folder, 'event-kbd');
  let device: ChildProcessByStdio<Writable, Readable, null>;
  const plugIn = async (): Promise<void> => {
    device = spawn(python(), ['-I', program], { stdio: ['pipe', 'pipe', 'inherit'] });
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
  return {
    path,
    calls,
    type: async codes => {
      const expected = read + codes.length * keystroke(0).length;
      device.stdin.write(codes.map(code => `${code}\n`).join(''));
      await expect.poll(() => read).toBe(expected);
    },
    unplug,
    plugIn,
    close: async () => {
      await unplug();
      rmSync(folder, { recursive: true });
    },
  };
};
