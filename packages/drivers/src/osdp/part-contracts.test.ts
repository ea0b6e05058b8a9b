import { OsdpCardReader } from './osdp-card-reader.ts';
import { OsdpInputs } from './osdp-inputs.ts';
import { OsdpKeypad } from './osdp-keypad.ts';
import { OsdpOutputs } from './osdp-outputs.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { beforeEach, expect, it } from 'vitest';
import { type OsdpTestBench, openOsdpTestBench } from '../testing/osdp-test-bench.ts';
import { requireProgram } from '@lintel/test/support/require-program';
import { requiredPython } from '@lintel/test/support/processes/pty';
import { cardReaderContract } from '../testing/card-reader-contract.ts';
import { supervisedLinesContract } from '../testing/input-lines-contract.ts';
import { keypadContract } from '../testing/keypad-contract.ts';
import { timedOutputLinesContract } from '../testing/output-lines-contract.ts';

beforeEach(context => requireProgram(context, requiredPython));

const opened = async (): Promise<OsdpTestBench> => (await openOsdpTestBench({ address: 1, security: 'pair' })).ready();

const plug = (bench: OsdpTestBench) => ({
  unplug: () => bench.unplug(),
  plugIn: () => bench.plugIn(),
  close: () => bench.close(),
});

keypadContract('OSDP keypad', async () => {
  const bench = await opened();
  return {
    keypad: new OsdpKeypad(bench.peripheral(), 0),
    press: async keys => {
      for (const key of keys) bench.reader().press(key);
      await bench.idle();
    },
    ...plug(bench),
  };
});

const GONE_AFTER_MS = 100;

cardReaderContract('OSDP reader', async () => {
  const bench = await opened();
  const { log } = bench;
  const clock = new VirtualClock();
  return {
    reader: new OsdpCardReader(bench.peripheral(), {
      reader_number: 0,
      clock,
      log,
      formats: [],
      gone_after_ms: GONE_AFTER_MS,
    }),
    tap: async uid => {
      clock.advance(GONE_AFTER_MS + 1);
      bench.reader().tap(Buffer.from(uid, 'hex'));
      await bench.idle();
    },
    misreading: {
      side: 'line',
      trouble: 'damaged',
      make: async () => {
        let isDone = false;
        bench.reader().modifyFrame = frame => {
          if (isDone) return [frame];
          isDone = true;
          return [Buffer.from(frame).fill(frame.at(-1)! ^ 0x10, frame.length - 1)];
        };
      },
    },
    ...plug(bench),
  };
});

it('ignores a card that an OSDP reader kept while it was offline, until it was away', async () => {
  const bench = await openOsdpTestBench({ address: 1, security: 'pair' });
  const clock = new VirtualClock();
  const reader = new OsdpCardReader(bench.peripheral(), {
    reader_number: 0,
    clock,
    log: bench.log,
    formats: [],
    gone_after_ms: GONE_AFTER_MS,
  });
  const uids: string[] = [];
  reader.onCard(uid => uids.push(uid));
  const tap = (): void => bench.reader().tap(Buffer.from('00a1b2c3', 'hex'));
  tap();
  await bench.ready();
  await bench.idle();
  clock.advance(GONE_AFTER_MS - 1);
  tap();
  await bench.idle();
  expect(uids).toEqual([]);
  clock.advance(GONE_AFTER_MS + 1);
  tap();
  await bench.idle();
  expect(uids).toEqual(['00a1b2c3']);
  await bench.close();
});

timedOutputLinesContract('OSDP outputs', async () => {
  const bench = await openOsdpTestBench({ address: 1, security: 'pair' });
  const outputs = new OsdpOutputs(bench.peripheral(), 0, { strike: { kind: 'output', number: 0 } });
  await bench.ready();
  const { parts } = bench.reader();
  return {
    outputs,
    isOn: async () => parts.outputs[0]!,
    advance: async milliseconds => {
      await bench.idle();
      parts.timers.advance(milliseconds);
    },
    ...plug(bench),
  };
});

supervisedLinesContract('OSDP inputs', async () => {
  const bench = await openOsdpTestBench({ address: 1, security: 'pair' });
  const inputs = new OsdpInputs(bench.peripheral(), { contact: { kind: 'input', number: 0 } });
  await bench.ready();
  await bench.idle();
  return {
    inputs,
    move: async (_, level) => {
      bench.reader().setInput(0, level === 'active' ? 1 : 0);
      await bench.idle();
    },
    cut: async () => bench.reader().setInput(0, 2),
    ...plug(bench),
  };
});
