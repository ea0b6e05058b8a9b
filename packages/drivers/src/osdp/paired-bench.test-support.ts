import { resolveWiegandFormat } from '../wiegand/formats.ts';
import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { OsdpCardReader } from './osdp-card-reader.ts';
import { OsdpKeypad } from './osdp-keypad.ts';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import { type OsdpTestBench, openOsdpTestBench } from '../testing/osdp-test-bench.ts';

const formats = ([26, 34, 37] as const).map(resolveWiegandFormat);

export const pairedKey = Buffer.from('f0e1d2c3b4a5968778695a4b3c2d1e0f', 'hex');

/** The keys that the panel reports from now on. */
export const recordKeys = (bench: OsdpTestBench, address = 1): KeypadKey[] => {
  const keys: KeypadKey[] = [];
  new OsdpKeypad(bench.peripheral(address), 0).onKey(key => keys.push(key));
  return keys;
};

export const recordCards = (bench: OsdpTestBench): string[] => {
  const clock = new VirtualClock();
  const uids: string[] = [];
  new OsdpCardReader(bench.peripheral(), { reader_number: 0, clock, log: bench.log, formats }).onCard(uid =>
    uids.push(uid),
  );
  // Cards that the reader reports later did not lie there at the start.
  bench.peripheral().onReady(() => clock.advance(10_000));
  return uids;
};

/** A reader and a panel that have been paired before. */
export const openPairedTestBench = async (): Promise<OsdpTestBench> => {
  const bench = await openOsdpTestBench({ address: 1, security: 'paired', key: pairedKey });
  bench.keys.write(1, { bytes: pairedKey, confirmed: true });
  await bench.restartPanel();
  return bench.ready();
};
