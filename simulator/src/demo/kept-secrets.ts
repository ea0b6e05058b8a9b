import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import type { KeptWebhook } from '../bridge/webhook-registration.ts';

/** What the bridge shows only once, kept for the next start. */
export interface Kept {
  readonly webhook: KeptWebhook | null;
  /** Member tokens on the phones of the demonstration, by the person's key. */
  readonly phones: Readonly<Record<string, string>>;
  /** The day that the reservations are around. */
  readonly day: number | null;
}

const nothing: Kept = { webhook: null, phones: {}, day: null };

export class KeptSecrets {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'simulator.json');
  }

  read(): Kept {
    try {
      return { ...nothing, ...(JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<Kept>) };
    } catch {
      return nothing;
    }
  }

  write(kept: Kept): void {
    writePrivately(this.#file, `${JSON.stringify(kept, null, 2)}\n`);
  }
}
