import { promisify } from 'node:util';
import koffi from 'koffi';
import { PcscError } from './pcsc-error.ts';

/*
 * The calls of libpcsclite, each in a pool thread, because the service may respond late. Struct sizes are those of
 * 64-bit systems.
 */

const SYSTEM_SCOPE = 2;
const LONGEST_LIST = 16_384;
const LONGEST_ATR = 33;
const LONGEST_ATTRIBUTE = 264;

/** One entry of `SCardGetStatusChange`, which fills in `dwEventState`. */
export interface PcscReaderState {
  szReader: string;
  pvUserData: null;
  dwCurrentState: number;
  dwEventState: number;
  cbAtr: number;
  rgbAtr: number[];
}

export const createPcscReaderStateStruct = (reader: string, known: number): PcscReaderState => ({
  szReader: reader,
  pvUserData: null,
  dwCurrentState: known,
  dwEventState: 0,
  cbAtr: 0,
  rgbAtr: Array.from({ length: LONGEST_ATR }, () => 0),
});

export interface PcscCardConnection {
  readonly handle: number;
  readonly protocol: number;
}

export interface PcscConnectParameters {
  readonly shareMode: number;
  readonly protocols: number;
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
    transmit: call(
      'long SCardTransmit(long card, void *sendPci, void *send, unsigned long sendLength, void *receivePci, void *receive, void *receiveLength)',
    ),
    control: call(
      'long SCardControl(long card, unsigned long code, void *send, unsigned long sendLength, void *receive, unsigned long receiveLength, void *returned)',
    ),
    attribute: call('long SCardGetAttrib(long card, unsigned long id, void *value, void *length)'),
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
    connect: async (
      context: number,
      reader: string,
      parameters: PcscConnectParameters,
    ): Promise<PcscCardConnection> => {
      const card = long();
      const protocol = long();
      await calls.connect(context, reader, parameters.shareMode, parameters.protocols, card, protocol);
      return { handle: numberIn(card), protocol: numberIn(protocol) };
    },
    transmit: async (
      { handle, protocol }: PcscCardConnection,
      apdu: Uint8Array,
      maxLength: number,
    ): Promise<Buffer> => {
      const header = Buffer.concat([long(protocol), long(16)]);
      const response = Buffer.alloc(maxLength);
      const length = long(response.length);
      await calls.transmit(handle, header, Buffer.from(apdu), apdu.length, null, response, length);
      return response.subarray(0, numberIn(length));
    },
    control: async (
      { handle }: PcscCardConnection,
      code: number,
      data: Uint8Array,
      maxLength: number,
    ): Promise<Buffer> => {
      const response = Buffer.alloc(maxLength);
      const length = long();
      await calls.control(handle, code, Buffer.from(data), data.length, response, response.length, length);
      return response.subarray(0, numberIn(length));
    },
    /** An attribute of the reader. Rejects if its driver does not have it. */
    attribute: async ({ handle }: PcscCardConnection, id: number): Promise<Buffer> => {
      const value = Buffer.alloc(LONGEST_ATTRIBUTE);
      const length = long(value.length);
      await calls.attribute(handle, id, value, length);
      return value.subarray(0, numberIn(length));
    },
    disconnect: ({ handle }: PcscCardConnection, disposition: number): Promise<void> =>
      calls.disconnect(handle, disposition),
  };
};

export type PcscLibraryCalls = ReturnType<typeof load>;

let loaded: PcscLibraryCalls | undefined;

/** Throws if libpcsclite1 is not installed. */
export const loadPcscLibraryCalls = (): PcscLibraryCalls => {
  loaded ??= load();
  return loaded;
};
