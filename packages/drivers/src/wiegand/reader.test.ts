import { resolveWiegandFormat } from './formats.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import type { WiegandKeyFormat } from './frame.ts';
import { WiegandReader } from './reader.ts';
import { describe, expect, it } from 'vitest';
import { SimulatedGpioKernel } from '@lintel/test/support/hardware/simulated-gpio-kernel';
import { cardReaderContract } from '../testing/card-reader-contract.ts';
import { keypadContract } from '../testing/keypad-contract.ts';

const formats = ([26, 34, 37] as const).map(resolveWiegandFormat);

const [D0, D1] = [5, 6];

const AFTER_START_MS = 401;

const open = (keys: WiegandKeyFormat) => {
  const clock = new VirtualClock();
  const kernel = new SimulatedGpioKernel(clock);
  const reader = new WiegandReader({ chip: ['pinctrl-test'], d0: D0, d1: D1, clock, formats, keys, calls: kernel });
  // A card that is sent earlier lay there when the reader started.
  clock.advance(AFTER_START_MS);
  const pulse = (digit: string): void => {
    const line = digit === '1' ? D1 : D0;
    kernel.drive(line, false);
    clock.advance(0.05);
    kernel.drive(line, true);
    clock.advance(2);
  };
  return {
    clock,
    kernel,
    reader,
    pulse,
    send: (frame: string): void => {
      for (const digit of Array.from(frame)) pulse(digit);
      clock.advance(50);
    },
    unplug: async () => {
      kernel.unplug();
      clock.advance(2_000);
    },
    plugIn: async () => {
      kernel.plugIn();
      clock.advance(4_000);
    },
    close: async () => reader.close(),
  };
};

const four = (value: number): string => value.toString(2).padStart(4, '0');

const bursts: Readonly<Record<WiegandKeyFormat, (value: number) => string>> = {
  '4_bit': four,
  '8_bit': value => four(15 - value) + four(value),
  '8_bit_reversed': value => four(value) + four(15 - value),
};

for (const keys of ['4_bit', '8_bit', '8_bit_reversed'] as const)
  keypadContract(`Wiegand keypad with ${keys} bursts`, async () => {
    const bench = open(keys);
    return {
      ...bench,
      keypad: bench.reader,
      press: async pressed => {
        for (const key of Array.from(pressed)) bench.send(bursts[keys]('0123456789*#'.indexOf(key)));
      },
    };
  });

const frameOf = (uid: string): string => {
  const data = BigInt(`0x${uid}`)
    .toString(2)
    .padStart(uid.length === 8 ? 32 : 35, '0');
  const covered = Math.ceil(data.length / 2);
  const ones = (part: string): number => part.replaceAll('0', '').length;
  return `${ones(data.slice(0, covered)) % 2}${data}${1 - (ones(data.slice(-covered)) % 2)}`;
};

cardReaderContract('Wiegand reader', async () => {
  const bench = open('4_bit');
  return {
    ...bench,
    uids: ['00A1B2C3', '00a1b2c3', '04a1b2c3', '00000712345678'],
    tap: async uid => {
      bench.send(frameOf(uid));
      bench.clock.advance(500);
    },
    misreading: {
      side: 'line',
      trouble: 'damaged',
      make: async () => bench.send(frameOf('04a1b2c3').replace(/.$/, last => (last === '1' ? '0' : '1'))),
    },
  };
});

describe('WiegandReader', () => {
  it('does not report half a card as a key when its timer fires before all edges are read', () => {
    const { clock, kernel, pulse, reader } = open('4_bit');
    const received: string[] = [];
    reader.onKey(key => received.push(key));
    reader.onCard(uid => received.push(String(uid)));
    const frame = Array.from(frameOf('04a1b2c3'));
    for (const digit of frame.slice(0, 4)) pulse(digit);
    kernel.pauseEvents();
    for (const digit of frame.slice(4)) pulse(digit);
    kernel.resumeEvents();
    clock.advance(50);
    expect(received).toEqual(['04a1b2c3']);
  });

  it('counts lost bits, unknown lengths and invalid pulses as damaged, and keys as clean', () => {
    const { clock, kernel, reader, send } = open('4_bit');
    const counts = () => {
      const { clean, broken } = reader.signal().line!;
      return [clean, broken];
    };
    send(bursts['4_bit'](7));
    expect(counts()).toEqual([1, 0]);
    send(frameOf('04a1b2c3').slice(1));
    expect(counts()).toEqual([1, 1]);
    for (let pulses = 0; pulses < 10; pulses++) {
      kernel.drive(D0, false);
      kernel.drive(D0, true);
      clock.advance(0.01);
    }
    clock.advance(50);
    expect(counts()).toEqual([1, 2]);
    send(frameOf('04a1b2c3'));
    expect(counts()).toEqual([2, 2]);
  });

  it('drops a card when the kernel has lost an edge', () => {
    const { clock, kernel, pulse, reader, send } = open('4_bit');
    const received: string[] = [];
    reader.onKey(key => received.push(key));
    reader.onCard(uid => received.push(String(uid)));
    const frame = Array.from(frameOf('04a1b2c3'));
    for (const digit of frame.slice(0, 10)) pulse(digit);
    kernel.loseEdge();
    for (const digit of frame.slice(10)) pulse(digit);
    clock.advance(50);
    expect(received).toEqual([]);
    expect(reader.signal().line).toMatchObject({ clean: 0, broken: 1 });
    send(frame.join(''));
    expect(received).toEqual(['04a1b2c3']);
  });

  it('ignores a card that lies on the reader when the chip returns, until it was away', async () => {
    const { clock, kernel, reader, send, unplug } = open('4_bit');
    const received: string[] = [];
    const faults: unknown[] = [];
    reader.onCard(uid => received.push(String(uid)));
    reader.onFault(fault => faults.push(fault));
    await unplug();
    kernel.plugIn();
    while (faults.at(-1) !== null) clock.advance(10);
    for (let repeat = 0; repeat < 20; repeat++) send(frameOf('04a1b2c3'));
    expect(received).toEqual([]);
    clock.advance(AFTER_START_MS);
    send(frameOf('04a1b2c3'));
    expect(received).toEqual(['04a1b2c3']);
  });

  it('reports a repeated card once and another card immediately', () => {
    const { clock, reader, send } = open('4_bit');
    const received: string[] = [];
    reader.onCard(uid => received.push(String(uid)));
    for (let repeat = 0; repeat < 100; repeat++) send(frameOf('04a1b2c3'));
    send(frameOf('04a1b2c4'));
    clock.advance(500);
    send(frameOf('04a1b2c4'));
    expect(received).toEqual(['04a1b2c3', '04a1b2c4', '04a1b2c4']);
  });
});
