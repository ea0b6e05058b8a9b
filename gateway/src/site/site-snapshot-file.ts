import { readJsonOrSetAside, UnreadableFileError } from '@lintel/service/data-folder/damaged-file';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { replayWindowSchema } from '@lintel/wire-protocol/mqtt/replay-window';
import { snapshotEntrySchema } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import * as z from 'zod';

const siteState = z.object({
  /** The device that the snapshot belongs to. After another claim it is discarded. */
  device_id: z.string(),
  serial: z.string(),
  window: replayWindowSchema,
  slice: z.object({ revision: z.int(), digest: z.string(), entries: z.array(snapshotEntrySchema) }).nullable(),
});
export type SiteSnapshotFileContent = z.infer<typeof siteState>;

/** Persists the gateway's site snapshot, so that it can authorize devices while offline. */
export class SiteSnapshotFile {
  readonly #path: string;
  readonly #onDamaged: (problem: string) => void;
  readonly #onUnreadable: (problem: string) => void;

  /** A damaged file is set aside and reported. */
  constructor(
    path: string,
    onDamaged: (problem: string) => void = () => undefined,
    onUnreadable: (problem: string) => void = () => undefined,
  ) {
    this.#path = path;
    this.#onDamaged = onDamaged;
    this.#onUnreadable = onUnreadable;
  }

  /**
   * Null for a file that is missing, damaged or from an earlier claim: the bridge then sends the snapshot again. Undefined
   * for a file that cannot be read now.
   */
  read(deviceId: string): SiteSnapshotFileContent | null | undefined {
    try {
      const read = parseWithSchema(siteState, readJsonOrSetAside(this.#path, this.#onDamaged));
      return read.ok && read.value.device_id === deviceId ? read.value : null;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      this.#onUnreadable(error.message);
      return undefined;
    }
  }

  write(state: SiteSnapshotFileContent): void {
    writePrivateFile(this.#path, JSON.stringify(state));
  }
}
