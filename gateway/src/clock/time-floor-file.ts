import { readFileSync } from 'node:fs';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

/** The file with the last known time. The clock never starts before it. */
export class TimeFloorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): number | null {
    try {
      const floor: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      return Number.isSafeInteger(floor) ? (floor as number) : null;
    } catch {
      return null;
    }
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
