import type { Key } from '@lintel/access-core/key-entry-model';
import { OsdpCardReader } from '../../../packages/drivers/src/osdp/osdp-card-reader.ts';
import { OsdpKeypad } from '../../../packages/drivers/src/osdp/osdp-keypad.ts';
import { type OsdpBench, openOsdpBench } from './osdp-bench.ts';

export const ownKey = Buffer.from('f0e1d2c3b4a5968778695a4b3c2d1e0f', 'hex');

/** The keys that the panel reports from now on. */
export const keysOf = (bench: OsdpBench, address = 1): Key[] => {
  const keys: Key[] = [];
  new OsdpKeypad(bench.peripheral(address)).onKey(key => keys.push(key));
  return keys;
};

export const cardsOf = (bench: OsdpBench): string[] => {
  const { clock, log } = bench;
  const uids: string[] = [];
  new OsdpCardReader(bench.peripheral(), { clock, log }).onCard(uid => uids.push(uid));
  return uids;
};

/** A reader and a panel that have been paired before. */
export const openPaired = async (): Promise<OsdpBench> => {
  const bench = await openOsdpBench({ address: 1, security: 'paired', key: ownKey });
  bench.keys.write(1, { bytes: ownKey, confirmed: true });
  await bench.restartPanel();
  return bench.ready();
};
