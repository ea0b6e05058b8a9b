/** The part of nfc-pcsc 0.8 that the drivers use. The package has no types of its own. */
declare module 'nfc-pcsc' {
  import type { EventEmitter } from 'node:events';
  import type { PcscCardReader } from '@lintel/pcsclite';

  export class Reader extends EventEmitter {
    readonly name: string;
    readonly reader: PcscCardReader;
    readonly connection: object | null;
    readonly card: { readonly atr?: Buffer } | null;
    /** Selects an application on ISO 14443-4 cards instead of reading their uid. Default true. */
    autoProcessing: boolean;
    connect(): Promise<object>;
    disconnect(): Promise<true>;
    transmit(data: Buffer, responseMaxLength: number): Promise<Buffer>;
  }

  interface NfcEvents {
    reader: [Reader];
    error: [Error];
  }

  export class NFC extends EventEmitter<NfcEvents> {
    close(): void;
  }
}
