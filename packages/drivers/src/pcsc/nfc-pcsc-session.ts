import type { PcscCardReader } from '@lintel/pcsclite';
import { loadPcscLibraryCalls } from '@lintel/pcsclite/libpcsclite-calls';
import { NFC, type Reader } from 'nfc-pcsc';
import { readPcscReaderUsbIdentity, type PcscCard, type PcscSession, type PcscWatcher } from './session.ts';

/** For a process that holds only this session. */
export interface PcscSessionWithHeartbeat extends PcscSession {
  /** Resolves when the service has responded. */
  beat(): Promise<void>;
}

const LONGEST_RESPONSE = 65_548;

/** nfc-pcsc wraps the error of the service, and has its own error for a card that has left. */
const unwrapError = (error: unknown): unknown => {
  const { previous, code } = error as { previous?: Error; code?: string };
  if (previous !== undefined) return previous;
  return code === 'card_not_connected' ? Object.assign(new Error('The card has left'), { code: 'RemovedCard' }) : error;
};

const unwrapped = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw unwrapError(error);
  }
};

/**
 * nfc-pcsc connects when a card arrives. If that fails, it emits the error under the wrong event name (nfc-pcsc 0.8.1,
 * `this.emit(err)`), so nobody sees it. This connects again, and its caller gets the error.
 */
const connectTo = async (reader: Reader): Promise<PcscCard> => {
  await unwrapped(() => reader.connect());
  return {
    atr: async () => reader.card?.atr ?? new Uint8Array(),
    transmit: apdu => unwrapped(async () => reader.transmit(Buffer.from(apdu), LONGEST_RESPONSE)),
    release: () => unwrapped(async () => void (await reader.disconnect())),
  };
};

/** The event `card` of nfc-pcsc comes only after the connection, too late to notice a reader that hangs there. */
const watchPresence = (reader: PcscCardReader, watcher: PcscWatcher): void => {
  reader.on('status', ({ state }) => {
    const isMute = (state & reader.SCARD_STATE_MUTE) !== 0;
    watcher.changed(reader.name, (state & reader.SCARD_STATE_PRESENT) !== 0 && !isMute);
    if (isMute) watcher.mute(reader.name);
  });
};

/** Rejects if libpcsclite1 is missing or the service is not running. */
export const openPcscSessionWithNfcPcsc = async (watcher: PcscWatcher): Promise<PcscSessionWithHeartbeat> => {
  const library = loadPcscLibraryCalls();
  // Calls on one context are serialized: this one has its own, so that it tests the service and not the last call.
  const beating = await library.openContext();
  const readers = new Map<string, Reader>();
  const nfc = new NFC();
  nfc.on('error', error => watcher.ended(error));
  nfc.on('reader', reader => {
    readers.set(reader.name, reader);
    // The driver reads the uid of all cards, ISO 14443-4 included, and selects applications itself.
    reader.autoProcessing = false;
    watchPresence(reader.reader, watcher);
    reader.on('error', (error: Error) => watcher.ended(error));
    reader.on('end', () => {
      readers.delete(reader.name);
      watcher.unplugged(reader.name);
    });
  });
  return {
    connect: async name => {
      const reader = readers.get(name);
      if (reader === undefined) throw new Error('The reader was unplugged');
      return connectTo(reader);
    },
    locate: name => readPcscReaderUsbIdentity(library, name),
    beat: async () => void (await library.readers(beating)),
    close: () => {
      nfc.close();
      void library.closeContext(beating).catch(() => undefined);
    },
  };
};
