import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { UsbKeypad } from './keypad.ts';
import type { PartFault } from '../interfaces/part-fault.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  openInputPipe,
  openUinputDevice,
  requireUinput,
  type TestInputDevice,
} from '@lintel/test/support/hardware/test-keyboard-devices';
import { inputRecord } from '@lintel/test/support/hardware/evdev-input-records';
import { keypadContract } from '../testing/keypad-contract.ts';

const codes: Readonly<Record<string, number>> = {
  ...Object.fromEntries([82, 79, 80, 81, 75, 76, 77, 71, 72, 73].map((code, digit) => [String(digit), code])),
  '*': 55,
  '#': 96,
};

const keypadOf = <D extends TestInputDevice>(device: D) => {
  const { path, calls } = device;
  const keypad = new UsbKeypad({ path, clock: new ProcessClock(), calls });
  return {
    ...device,
    keypad,
    press: (keys: string) => device.type(Array.from(keys, key => codes[key]!)),
    close: async () => {
      keypad.close();
      await device.close();
    },
  };
};

const openPipe = () => keypadOf(openInputPipe());

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
    const noise = Buffer.concat(
      Array.from({ length: 100 }, (_, index) => inputRecord(index % 32, 200 + index, index * 99)),
    );
    for (let sent = 0; sent < 2 ** 20; sent += noise.length) {
      write(noise);
      await expect.poll(bytesRead, { interval: 1 }).toBe(sent + noise.length);
    }
    await press('42');
    await expect.poll(() => keys.join('')).toBe('42');
    await close();
  });
});

describe('uinput', () => {
  beforeEach(requireUinput);

  keypadContract('USB keypad of uinput', async () => keypadOf(await openUinputDevice()));
});
