import { beforeEach, describe, expect, it } from 'vitest';
import { KeyboardWedgeReader, type WedgeNumberFormat } from './reader.ts';
import {
  openInputPipe,
  openUinputDevice,
  requireUinput,
  type TestInputDevice,
} from '@lintel/test/support/hardware/test-keyboard-devices';
import { inputRecord } from '@lintel/test/support/hardware/evdev-input-records';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { cardReaderContract } from '../testing/card-reader-contract.ts';

const codes = new Map([
  ...Array.from('1234567890', (digit, index) => [digit, index + 2] as const),
  ...Array.from('abcdef', (letter, index) => [letter, [30, 48, 46, 32, 18, 33][index]!] as const),
  ['x', 45],
]);
const ENTER = 28;

const typing = (text: string): number[] => [...Array.from(text, character => codes.get(character)!), ENTER];

const AFTER_START_MS = 501;

const benchOf = <D extends TestInputDevice>(device: D, number: WedgeNumberFormat) => {
  const { path, calls } = device;
  const clock = new VirtualClock();
  const reader = new KeyboardWedgeReader({ path, clock, calls, number, uid_order: 'as_sent' });
  const uids: string[] = [];
  reader.onCard(uid => uids.push(uid));
  // Opens the device again after it was unplugged.
  const running = setInterval(() => clock.advance(20), 5);
  const present = async (text: string): Promise<void> => {
    clock.advance(AFTER_START_MS);
    await device.type(typing(text));
  };
  return {
    ...device,
    clock,
    reader,
    uids,
    present,
    close: async () => {
      clearInterval(running);
      reader.close();
      await device.close();
    },
  };
};

const contract = (name: string, open: () => Promise<TestInputDevice> | TestInputDevice): void => {
  cardReaderContract(`${name} with decimal numbers`, async () => {
    const bench = benchOf(await open(), 'decimal');
    return {
      ...bench,
      uids: ['00a1b2c3', '00000007', 'ffffffff'],
      tap: uid => bench.present(Number.parseInt(uid, 16).toString().padStart(10, '0')),
      misreading: { side: 'line', trouble: 'damaged', make: () => bench.present('12x4567890') },
    };
  });

  cardReaderContract(`${name} with hexadecimal numbers`, async () => {
    const bench = benchOf(await open(), 'hexadecimal');
    return {
      ...bench,
      uids: ['00a1b2c3', '04a1b2c3d4e5f6', '0403020100ffeeddccbb'],
      tap: uid => bench.present(uid),
      misreading: { side: 'line', trouble: 'damaged', make: () => bench.present('04a1b2c') },
    };
  });
};

contract('Keyboard wedge with recorded events', openInputPipe);

describe('uinput', () => {
  beforeEach(requireUinput);

  contract('Keyboard wedge of uinput', openUinputDevice);
});

describe('KeyboardWedgeReader', () => {
  it('grabs the device, so that cards are not typed into the console', async () => {
    const bench = benchOf(openInputPipe(), 'decimal');
    expect(bench.ioctls).toEqual(['grab 1']);
    await bench.close();
  });

  it('ignores a card that it types right after it was plugged in, until the card was away', async () => {
    const bench = benchOf(openInputPipe(), 'decimal');
    await bench.type(typing('0010597059'));
    expect(bench.uids).toEqual([]);
    await bench.present('0010597059');
    expect(bench.uids).toEqual(['00a1b2c3']);
    await bench.close();
  });

  it('drops numbers that the kernel lost events of, and unfinished numbers', async () => {
    const bench = benchOf(openInputPipe(), 'decimal');
    bench.clock.advance(AFTER_START_MS);
    const lossy = Buffer.concat([inputRecord(1, 2, 1), inputRecord(0, 3, 0)]);
    bench.write(lossy);
    await expect.poll(bench.bytesRead).toBe(lossy.length);
    await bench.type(typing('0010597059'));
    expect(bench.uids).toEqual([]);
    await bench.type(typing('99').slice(0, -1));
    await bench.present('0010597059');
    expect(bench.uids).toEqual(['00a1b2c3']);
    await bench.close();
  });
});
