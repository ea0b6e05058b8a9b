import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PcscReaderUsbPortAndSerial, PcscService, PcscSession } from './session.ts';

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

export interface PcscTap {
  /** The name of the reader in the PC/SC service. */
  readonly reader: string;
  /** Null if the reader is not on USB or does not tell where. */
  readonly place: PcscReaderUsbPortAndSerial | null;
}

export interface PendingPcscTap {
  /** Resolves when a card comes to any reader; null after `stop`. Rejects when the service ends. */
  readonly tap: Promise<PcscTap | null>;
  readonly stop: () => void;
}

/** Waits for a card at any reader, also at readers that no door uses. A card that lies on a reader does not count. */
export const startWaitingForPcscTap = async (service: PcscService): Promise<PendingPcscTap> => {
  const { promise, resolve, reject } = Promise.withResolvers<PcscTap | null>();
  const hasCard = new Map<string, boolean>();
  const places = new Map<string, Promise<PcscReaderUsbPortAndSerial | null>>();
  let session: PcscSession | null = null;
  const locate = (reader: string): Promise<PcscReaderUsbPortAndSerial | null> =>
    session?.locate(reader).catch(() => null) ?? Promise.resolve(null);
  const tapped = async (reader: string): Promise<void> => {
    const place = (await places.get(reader)) ?? (await locate(reader));
    resolve({ reader, place });
  };
  session = await service.open({
    changed: (reader, isPresent) => {
      const before = hasCard.get(reader);
      hasCard.set(reader, isPresent);
      // Before a card comes, because some readers do not tell their place while a card is in use.
      if (before === undefined && session !== null) places.set(reader, locate(reader));
      if (before === false && isPresent) void tapped(reader);
    },
    mute: () => undefined,
    unplugged: reader => {
      hasCard.delete(reader);
      places.delete(reader);
    },
    ended: reject,
  });
  for (const reader of hasCard.keys()) places.set(reader, locate(reader));
  return {
    tap: promise.finally(() => service.close()),
    stop: () => resolve(null),
  };
};
