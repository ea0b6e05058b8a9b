import { Rdm6300Reader, type Rdm6300UidFormat } from './reader.ts';
import { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { describe, expect, it, type TestContext } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { openPty, requiredPython } from '@lintel/test/support/processes/pty';
import { cardReaderContract } from '../testing/card-reader-contract.ts';

/** The frame of a tag: STX, ten digits, the XOR of their bytes, ETX. */
const printed = (tag: string): Uint8Array => {
  const sum = Buffer.from(tag, 'hex').reduce((all, byte) => all ^ byte, 0);
  return Buffer.from(`\x02${tag.toUpperCase()}${sum.toString(16).padStart(2, '0').toUpperCase()}\x03`, 'latin1');
};

/** After this, a tag was not there when the reader started. */
const AFTER_START_MS = 501;

const bench = async (context: TestContext, clock: Pick<MonotonicClock, 'now'>, uid: Rdm6300UidFormat) => {
  requireProgram(context, requiredPython);
  const pty = await openPty();
  const line = new ReconnectingSerialLine({ path: pty.path, baud_rate: 9_600 });
  const reader = new Rdm6300Reader({ line, clock, uid });
  // Opening the port discards earlier bytes.
  await line.write(Uint8Array.of(0));
  if (clock instanceof VirtualClock) clock.advance(AFTER_START_MS);
  const received: number[] = [];
  line.onBytes(bytes => received.push(...bytes));
  /** Resolves when the reader has received the bytes. */
  const say = async (bytes: Uint8Array): Promise<void> => {
    const before = received.length;
    await pty.write(bytes);
    await expect.poll(() => received.length, { interval: 5 }).toBe(before + bytes.length);
  };
  const close = async (): Promise<void> => {
    await reader.close();
    await pty.close();
  };
  return { pty, reader, say, close };
};

const contract = (uid: Rdm6300UidFormat, uids: readonly string[], tagOf: (card: string) => string): void =>
  cardReaderContract(`RDM6300 with uid ${uid}`, async context => {
    const clock = new VirtualClock();
    const { pty, reader, say, close } = await bench(context, clock, uid);
    return {
      reader,
      uids,
      tap: async card => {
        clock.advance(AFTER_START_MS);
        for (let times = 0; times < 5; times++) {
          await say(printed(tagOf(card)));
          clock.advance(65);
        }
      },
      misreading: {
        side: 'line',
        trouble: 'damaged',
        make: () => say(printed(tagOf(uids[0]!)).fill(0x30, 3, 5)),
      },
      unplug: () => pty.unplug(),
      plugIn: () => pty.plugIn(),
      close,
    };
  });

contract('whole_tag', ['000062e3086ced', '000062e3086ced', '00000000000001'], card => card.slice(4));
contract('printed_number', ['e3086ced', '00000001', '00000001'], card => `62${card}`);

describe('Rdm6300Reader', () => {
  it('reports a repeated tag once', async context => {
    const clock = new VirtualClock();
    const { reader, say, close } = await bench(context, clock, 'whole_tag');
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    await say(printed('62e3086ced'));
    for (let times = 0; times < 20; times++) {
      clock.advance(10);
      await say(printed('62e3086ced'));
    }
    expect(uids).toEqual(['000062e3086ced']);
    await close();
  });

  it('ignores a tag that lies on the reader when it starts or is plugged in, until it was away', async context => {
    const clock = new VirtualClock();
    const { pty, reader, say, close } = await bench(context, clock, 'whole_tag');
    const uids: string[] = [];
    const faults: unknown[] = [];
    reader.onCard(uid => uids.push(uid));
    reader.onFault(fault => faults.push(fault));
    await pty.unplug();
    await expect.poll(() => faults.at(-1)).toMatchObject({ kind: 'absent' });
    clock.advance(60_000);
    await pty.plugIn();
    await expect.poll(() => faults.at(-1)).toBeNull();
    for (let times = 0; times < 20; times++) {
      await say(printed('62e3086ced'));
      clock.advance(65);
    }
    expect(uids).toEqual([]);
    clock.advance(AFTER_START_MS);
    await say(printed('62e3086ced'));
    expect(uids).toEqual(['000062e3086ced']);
    await close();
  });

  it('finds a tag after garbage', async context => {
    const clock = new VirtualClock();
    const { pty, reader, close } = await bench(context, clock, 'whole_tag');
    const uids: string[] = [];
    reader.onCard(uid => uids.push(uid));
    const garbage = Buffer.alloc(2 ** 18, '\x0262E3\x00\xff0', 'latin1');
    await pty.write(garbage);
    await pty.write(printed('62e3086ced'));
    await expect.poll(() => uids).toEqual(['000062e3086ced']);
    await close();
  });
});
