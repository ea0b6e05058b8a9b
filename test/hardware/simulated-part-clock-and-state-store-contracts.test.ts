import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { SimulatedKeypad } from '@lintel/simulator/virtual-hardware/simulated-keypad';
import { SimulatedOutputs } from '@lintel/simulator/virtual-hardware/simulated-outputs';
import { SimulatedReader } from '@lintel/simulator/virtual-hardware/simulated-reader';
import { VirtualClock } from '../support/virtual-clock.ts';
import { JsonFileStore } from '@lintel/service/data-folder/json-file-store';
import {
  cardReaderContract,
  keypadContract,
  supervisedLinesContract,
  timedOutputLinesContract,
} from '@lintel/drivers/testing';
import type { PartFault } from '@lintel/drivers/interfaces';
import { MemoryState } from '../support/memory-state-store.ts';
import { afterAll, afterEach, vi } from 'vitest';
import { monotonicClockContract } from './contract-suites/monotonic-clock-contract.ts';
import { stateStoreContract } from './contract-suites/state-store-contract.ts';

const absent: PartFault = { kind: 'absent', message: 'unplugged' };

const plug = (part: { fail(fault: PartFault | null): void }) => ({
  unplug: async () => part.fail(absent),
  plugIn: async () => part.fail(null),
  close: async () => undefined,
});

keypadContract('Simulated keypad', async () => {
  const keypad = new SimulatedKeypad();
  return { keypad, press: async keys => keypad.press(keys), ...plug(keypad) };
});

cardReaderContract('Simulated reader', async () => {
  const reader = new SimulatedReader(new VirtualClock());
  return {
    reader,
    tap: async uid => void reader.tap(uid),
    tapPhone: async token => void (await reader.tapPhone(token)),
    misreading: { side: 'cards', trouble: 'lost', make: async () => reader.recordSignal('cards', 'lost') },
    ...plug(reader),
  };
});

timedOutputLinesContract('Simulated outputs', async () => {
  const clock = new VirtualClock();
  const outputs = new SimulatedOutputs(clock, ['strike']);
  return {
    outputs,
    isOn: async output => outputs.isOn(output),
    advance: async milliseconds => clock.advance(milliseconds),
    ...plug(outputs),
  };
});

supervisedLinesContract('Simulated inputs', async () => {
  const inputs = new SimulatedInputs();
  return {
    inputs,
    move: async (input, level) => inputs.set(input, level),
    cut: async input => inputs.set(input, 'unknown'),
    ...plug(inputs),
  };
});

monotonicClockContract('VirtualClock', () => {
  const clock = new VirtualClock();
  return { clock, advance: async milliseconds => clock.advance(milliseconds) };
});

afterEach(() => void vi.useRealTimers());

monotonicClockContract('ProcessClock', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return { clock: new ProcessClock(), advance: async milliseconds => void vi.advanceTimersByTime(milliseconds) };
});

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

stateStoreContract('JsonFileStore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-state-'));
  folders.push(folder);
  return { store: new JsonFileStore(folder), reopen: () => new JsonFileStore(folder) };
});

stateStoreContract('MemoryState', () => {
  const store = new MemoryState();
  return { store, reopen: () => store };
});
