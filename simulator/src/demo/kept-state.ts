import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import type { KeptWebhook } from '../bridge/webhook-registration.ts';

/** What the bridge shows only once, kept for the next start. */
export interface Kept {
  readonly webhook: KeptWebhook | null;
  /** Member tokens on the phones of the demo, by the person's key. */
  readonly phones: Readonly<Record<string, string>>;
  /** The day that the reservations are around. */
  readonly day: number | null;
}

const nothing: Kept = { webhook: null, phones: {}, day: null };
const fileIn = (dataDir: string): string => join(dataDir, 'simulator.json');

export const readKept = (dataDir: string): Kept => {
  try {
    return { ...nothing, ...(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Partial<Kept>) };
  } catch {
    return nothing;
  }
};

export const writeKept = (dataDir: string, kept: Kept): void =>
  writePrivately(fileIn(dataDir), `${JSON.stringify(kept, null, 2)}\n`);
