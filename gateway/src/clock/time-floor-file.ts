import { readJsonOrSetAside } from '@lintel/service/data-folder/damaged-file';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

/** The file with the last known time. The clock never starts before it. */
export class TimeFloorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null without a file. A damaged file is set aside and reported. */
  read(onDamaged: (problem: string) => void = () => undefined): number | null {
    const floor = readJsonOrSetAside(this.#path, onDamaged);
    return Number.isSafeInteger(floor) ? (floor as number) : null;
  }

  /** False when the file cannot be written. */
  write(floor: number): boolean {
    try {
      writePrivateFile(this.#path, JSON.stringify(floor));
      return true;
    } catch {
      return false;
    }
  }
}
