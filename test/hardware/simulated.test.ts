import { setTimeout } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessClock } from '@lintel/device-runtime/adapters/clock/process-clock';
import { SimulatedInputs } from '@lintel/device-runtime/adapters/simulated/simulated-inputs';
import { SimulatedKeypad } from '@lintel/device-runtime/adapters/simulated/simulated-keypad';
import { SimulatedOutputs } from '@lintel/device-runtime/adapters/simulated/simulated-outputs';
import { SimulatedReader } from '@lintel/device-runtime/adapters/simulated/simulated-reader';
import { VirtualClock } from '@lintel/device-runtime/adapters/simulated/virtual-clock';
import { StateFiles } from '@lintel/device-runtime/adapters/state-file/state-files';
import type { PartFault } from '@lintel/device-runtime/ports/part-fault';
import { MemoryState } from '@lintel/device-runtime/testing/memory-state';
import { afterAll } from 'vitest';
import { cardReaderContract } from './port-suites/card-reader.ts';
import { supervisedLinesContract } from './port-suites/input-lines.ts';
import { keypadContract } from './port-suites/keypad.ts';
import { monotonicClockContract } from './port-suites/monotonic-clock.ts';
import { outputLinesContract } from './port-suites/output-lines.ts';
import { stateStoreContract } from './port-suites/state-store.ts';

const absent: PartFault = { kind: 'absent', message: 'unplugged' };

const plug = (part: { fail(fault: PartFault | null): void }) => ({
  unplug: async () => part.fail(absent),
  plugIn: async () => part.fail(null),
  close: async () => undefined,
});

keypadContract('the simulated keypad', async () => {
  const keypad = new SimulatedKeypad();
  return { keypad, press: async keys => keypad.press(keys), ...plug(keypad) };
});

cardReaderContract('the simulated reader', async () => {
  const reader = new SimulatedReader(new VirtualClock());
  return {
    reader,
    tap: async uid => void reader.tap(uid),
    tapPhone: async token => void (await reader.tapPhone(token)),
    misreading: { side: 'cards', trouble: 'lost', make: async () => reader.hears('cards', 'lost') },
    ...plug(reader),
  };
});

outputLinesContract('the simulated board', async () => {
  const clock = new VirtualClock();
  const outputs = new SimulatedOutputs(clock, ['strike']);
  return {
    outputs,
    isOn: async output => outputs.isOn(output),
    pass: async milliseconds => clock.advance(milliseconds),
    timesPulses: true,
    ...plug(outputs),
  };
});

supervisedLinesContract('the simulated board', async () => {
  const inputs = new SimulatedInputs();
  return {
    inputs,
    move: async (input, level) => inputs.set(input, level),
    cut: async input => inputs.set(input, 'unknown'),
    ...plug(inputs),
  };
});

monotonicClockContract('virtual time', () => {
  const clock = new VirtualClock();
  return { clock, pass: async milliseconds => clock.advance(milliseconds) };
});

monotonicClockContract('the clock of the process', () => ({
  clock: new ProcessClock(),
  pass: milliseconds => setTimeout(milliseconds),
}));

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

stateStoreContract('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-state-'));
  folders.push(folder);
  return { store: new StateFiles(folder), reopen: () => new StateFiles(folder) };
});

stateStoreContract('memory', () => {
  const store = new MemoryState();
  return { store, reopen: () => store };
});
