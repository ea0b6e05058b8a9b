import { readFileSync } from 'node:fs';
import { writePrivately } from '@lintel/service/data-folder/private-file';

/** The last time that was known, in a file of its own. */
export class FloorFile {
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

  /** A disk that is full costs the floor, not the gateway. */
  write(floor: number): boolean {
    try {
      writePrivately(this.#path, JSON.stringify(floor));
      return true;
    } catch {
      return false;
    }
  }
}
