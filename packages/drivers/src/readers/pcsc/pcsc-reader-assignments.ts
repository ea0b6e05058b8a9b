import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

/** The USB ports of readers that a technician assigned on site, by the name of the reader in the profile. */
export class PcscReaderAssignments {
  readonly #file: string;
  readonly #usbPaths: Map<string, string>;
  readonly #listeners: (() => void)[] = [];

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'pcsc-readers.json');
    this.#usbPaths = new Map(this.#read());
  }

  /** A damaged file is the same as none: no reader is assigned, and the technician assigns them again. */
  #read(): [reader: string, usbPath: string][] {
    try {
      const saved = JSON.parse(readFileSync(this.#file, 'utf8')) as Readonly<Record<string, unknown>>;
      return Object.entries(saved).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    } catch {
      return [];
    }
  }

  usbPathOf(reader: string): string | null {
    return this.#usbPaths.get(reader) ?? null;
  }

  /** Returns the reader of the profile that had this port before, which is not assigned anymore. */
  assign(reader: string, usbPath: string): string | null {
    const previous = [...this.#usbPaths].find(([name, path]) => path === usbPath && name !== reader)?.[0] ?? null;
    if (previous !== null) this.#usbPaths.delete(previous);
    this.#usbPaths.set(reader, usbPath);
    writePrivateFile(this.#file, `${JSON.stringify(Object.fromEntries(this.#usbPaths), null, 2)}\n`);
    for (const listener of this.#listeners) listener();
    return previous;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
