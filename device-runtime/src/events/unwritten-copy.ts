import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type DeviceEvent, deviceEventSchema } from '@lintel/wire-protocol/mqtt/messages/events';

/** Keeps events that cannot be written to the disk for the next process. No method throws. */
export interface UnwrittenCopy {
  read(): readonly DeviceEvent[];
  append(events: readonly DeviceEvent[]): void;
  clear(): void;
}

export const noUnwrittenCopy: UnwrittenCopy = { read: () => [], append: () => undefined, clear: () => undefined };

const MOST_BYTES = 8 * 2 ** 20;

const parseLine = (line: string): readonly DeviceEvent[] => {
  try {
    return [deviceEventSchema.parse(JSON.parse(line))];
  } catch {
    // The last line may be incomplete.
    return [];
  }
};

/**
 * A file in memory, outside of the data folder: it outlives a process that is killed while the disk fails, but not a power
 * cut. `folder` may be one that all users can write, so a file of another user is not used.
 */
export class UnwrittenCopyFile implements UnwrittenCopy {
  readonly #path: string;
  #isEmpty = false;

  constructor(folder: string, dataDir: string) {
    const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
    this.#path = join(folder, `lintel-events-${name}`);
  }

  #with<T>(flags: number, work: (file: number) => T): T | null {
    let file: number | null = null;
    try {
      file = openSync(this.#path, flags | constants.O_NOFOLLOW, 0o600);
      const { uid, mode } = fstatSync(file);
      return uid === process.geteuid?.() && (mode & 0o077) === 0 ? work(file) : null;
    } catch {
      return null;
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  read(): readonly DeviceEvent[] {
    const text = this.#with(constants.O_RDONLY, file => readFileSync(file, 'utf8')) ?? '';
    this.#isEmpty = text === '';
    return text.split('\n').flatMap(parseLine);
  }

  append(events: readonly DeviceEvent[]): void {
    this.#isEmpty = false;
    this.#with(constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, file => {
      if (fstatSync(file).size < MOST_BYTES)
        writeSync(file, events.map(event => `${JSON.stringify(event)}\n`).join(''));
    });
  }

  clear(): void {
    if (this.#isEmpty) return;
    try {
      rmSync(this.#path, { force: true });
      this.#isEmpty = true;
    } catch {
      // The events are recognized as stored at the next start.
    }
  }
}
