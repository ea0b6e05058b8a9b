import { promisify } from 'node:util';
import koffi from 'koffi';

/*
 * The calls of libpcsclite, each in a pool thread, because the service may respond late. Struct sizes are those of
 * 64-bit systems.
 */

const SYSTEM_SCOPE = 2;
const SHARED = 2;
const ANY_PROTOCOL = 3;
const LEAVE_CARD = 0;
const LONGEST_LIST = 16_384;
const LONGEST_ATR = 33;
const LONGEST_ANSWER = 65_548;

const codes: Readonly<Record<number, string>> = {
  0x80100002: 'Cancelled',
  0x80100003: 'InvalidHandle',
  0x80100009: 'UnknownReader',
  0x8010000a: 'Timeout',
  0x8010000b: 'SharingViolation',
  0x8010000c: 'NoCard',
  0x8010000f: 'ProtocolMismatch',
  0x80100013: 'CommunicationError',
  0x80100016: 'NotTransacted',
  0x80100017: 'ReaderUnavailable',
  0x8010001d: 'NoService',
  0x8010001e: 'ServiceStopped',
  0x8010002e: 'NoReadersAvailable',
  0x80100066: 'UnresponsiveCard',
  0x80100067: 'UnpoweredCard',
  0x80100068: 'ResetCard',
  0x80100069: 'RemovedCard',
  0x8010006a: 'SecurityViolation',
};

export class PcscError extends Error {
  override readonly name = 'PcscError';
  readonly code: string;

  constructor(result: number) {
    const code = codes[result] ?? `Code${result.toString(16)}`;
    super(`PC/SC says ${code}`);
    this.code = code;
  }
}

/** One entry of `SCardGetStatusChange`, which fills in `dwEventState`. */
export interface PcscReaderState {
  szReader: string;
  pvUserData: null;
  dwCurrentState: number;
  dwEventState: number;
  cbAtr: number;
  rgbAtr: number[];
}

export const createReaderState = (reader: string, known: number): PcscReaderState => ({
  szReader: reader,
  pvUserData: null,
  dwCurrentState: known,
  dwEventState: 0,
  cbAtr: 0,
  rgbAtr: Array.from({ length: LONGEST_ATR }, () => 0),
});

interface CardHandle {
  readonly handle: number;
  readonly protocol: number;
}

const declare = () => {
  const library = koffi.load('libpcsclite.so.1');
  const state = koffi.struct({
    szReader: 'const char *',
    pvUserData: 'void *',
    dwCurrentState: 'unsigned long',
    dwEventState: 'unsigned long',
    cbAtr: 'unsigned long',
    rgbAtr: koffi.array('uint8_t', LONGEST_ATR, 'Array'),
  });
  const call = (declaration: string) => {
    const { async: inThread } = library.func(declaration);
    const settled = promisify(inThread) as (...args: readonly unknown[]) => Promise<number>;
    return async (...args: readonly unknown[]): Promise<void> => {
      const result = (await settled(...args)) >>> 0;
      if (result !== 0) throw new PcscError(result);
    };
  };
  const { async: change } = library.func('SCardGetStatusChange', 'long', [
    'long',
    'unsigned long',
    koffi.inout(koffi.pointer(state)),
    'unsigned long',
  ]);
  const cancel = library.func('long SCardCancel(long context)') as (context: number) => number;
  return {
    establish: call('long SCardEstablishContext(unsigned long scope, void *a, void *b, void *context)'),
    release: call('long SCardReleaseContext(long context)'),
    list: call('long SCardListReaders(long context, void *groups, void *readers, void *length)'),
    change: promisify(change) as (...args: readonly unknown[]) => Promise<number>,
    connect: call(
      'long SCardConnect(long context, const char *reader, unsigned long mode, unsigned long protocols, void *card, void *protocol)',
    ),
    status: call(
      'long SCardStatus(long card, void *name, void *nameLength, void *state, void *protocol, void *atr, void *atrLength)',
    ),
    transmit: call(
      'long SCardTransmit(long card, void *sendPci, void *send, unsigned long sendLength, void *receivePci, void *receive, void *receiveLength)',
    ),
    disconnect: call('long SCardDisconnect(long card, unsigned long disposition)'),
    cancel,
  };
};

const long = (value = 0): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
};

const numberIn = (bytes: Buffer): number => Number(bytes.readBigInt64LE());

/** Calls on one context are serialized, so a caller that must not wait needs its own context. */
const load = () => {
  const calls = declare();
  return {
    openContext: async (): Promise<number> => {
      const context = long();
      await calls.establish(SYSTEM_SCOPE, null, null, context);
      return numberIn(context);
    },
    closeContext: (context: number): Promise<void> => calls.release(context),
    /** Cancels the pending `changes` call on this context. */
    cancel: (context: number): void => void calls.cancel(context),
    readers: async (context: number): Promise<string[]> => {
      const names = Buffer.alloc(LONGEST_LIST);
      const length = long(names.length);
      try {
        await calls.list(context, null, names, length);
      } catch (error) {
        if ((error as PcscError).code === 'NoReadersAvailable') return [];
        throw error;
      }
      return names.toString('utf8', 0, numberIn(length)).split('\0').filter(Boolean);
    },
    /** False if nothing changed within the timeout. */
    changes: async (context: number, states: PcscReaderState[], timeout_ms: number): Promise<boolean> => {
      const result = (await calls.change(context, timeout_ms, states, states.length)) >>> 0;
      const error = result === 0 ? null : new PcscError(result);
      if (error !== null && error.code !== 'Timeout') throw error;
      return error === null;
    },
    connect: async (context: number, reader: string): Promise<CardHandle> => {
      const card = long();
      const protocol = long();
      await calls.connect(context, reader, SHARED, ANY_PROTOCOL, card, protocol);
      return { handle: numberIn(card), protocol: numberIn(protocol) };
    },
    atr: async ({ handle }: CardHandle): Promise<Uint8Array> => {
      const atr = Buffer.alloc(LONGEST_ATR);
      const length = long(atr.length);
      await calls.status(handle, null, long(), long(), long(), atr, length);
      return new Uint8Array(atr.subarray(0, numberIn(length)));
    },
    transmit: async ({ handle, protocol }: CardHandle, apdu: Uint8Array): Promise<Uint8Array> => {
      const header = Buffer.concat([long(protocol), long(16)]);
      const answer = Buffer.alloc(LONGEST_ANSWER);
      const length = long(answer.length);
      await calls.transmit(handle, header, Buffer.from(apdu), apdu.length, null, answer, length);
      return new Uint8Array(answer.subarray(0, numberIn(length)));
    },
    disconnect: ({ handle }: CardHandle): Promise<void> => calls.disconnect(handle, LEAVE_CARD),
  };
};

export type PcscLite = ReturnType<typeof load>;

let loaded: PcscLite | undefined;

/** Throws if libpcsclite1 is not installed. */
export const loadPcscLite = (): PcscLite => {
  loaded ??= load();
  return loaded;
};
