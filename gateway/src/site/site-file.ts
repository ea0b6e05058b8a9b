import { readFileSync } from 'node:fs';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import { replayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { sliceEntry } from '@lintel/wire-protocol/mqtt/slice-entry';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import * as z from 'zod';

const siteState = z.object({
  /** The device that the snapshot belongs to. After another claim it is discarded. */
  device_id: z.string(),
  serial: z.string(),
  window: replayWindow,
  slice: z.object({ revision: z.int(), digest: z.string(), entries: z.array(sliceEntry) }).nullable(),
});
export type SiteState = z.infer<typeof siteState>;

/** What the gateway was told of its site, so that it lets the right ones in with the cloud cut off too. */
export class SiteFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null for a file that is not there, is damaged, or belongs to an earlier claiming: the bridge tells it again. */
  read(deviceId: string): SiteState | null {
    try {
      const read = parseWith(siteState, JSON.parse(readFileSync(this.#path, 'utf8')));
      return read.ok && read.value.device_id === deviceId ? read.value : null;
    } catch {
      return null;
    }
  }

  write(state: SiteState): void {
    writePrivately(this.#path, JSON.stringify(state));
  }
}
