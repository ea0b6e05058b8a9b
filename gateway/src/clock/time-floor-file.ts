import { readJsonOrSetAside, UnreadableFileError } from '@lintel/service/data-folder/damaged-file';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

/** The file with the last known time. The clock never starts before it. */
export class TimeFloorFile {
  readonly #path: string;
  #isUnread = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null without a file. A damaged file is set aside and reported; one that cannot be read now is reported. */
  read(
    onDamaged: (problem: string) => void = () => undefined,
    onUnreadable: (problem: string) => void = () => undefined,
  ): number | null {
    try {
      const floor = this.#read(onDamaged);
      this.#isUnread = false;
      return floor;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      this.#isUnread = true;
      onUnreadable(error.message);
      return null;
    }
  }

  #read(onDamaged: (problem: string) => void): number | null {
    const floor = readJsonOrSetAside(this.#path, onDamaged);
    return Number.isSafeInteger(floor) ? (floor as number) : null;
  }

  /** False when the file cannot be written. A file that could not be read is read again first, and keeps a later time. */
  write(floor: number): boolean {
    try {
      const earlier = this.#isUnread ? this.#read(() => undefined) : null;
      this.#isUnread = false;
      if (earlier !== null && earlier > floor) return true;
      writePrivateFile(this.#path, JSON.stringify(floor));
      return true;
    } catch {
      return false;
    }
  }
}
