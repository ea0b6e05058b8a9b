import type { PcscReaderUsbPortAndSerial } from './pcsc-reader-usb-identity.ts';

/** A connected card. All methods reject if the card has left or the service is gone. */
export interface PcscCard {
  atr(): Promise<Uint8Array>;
  transmit(apdu: Uint8Array): Promise<Uint8Array>;
  release(): Promise<void>;
}

export interface PcscWatcher {
  /** Called for each new reader and for each change. */
  changed(reader: string, hasCard: boolean): void;
  /** A card is present but does not respond: too far away, or not supported. */
  mute(reader: string): void;
  unplugged(reader: string): void;
  /** The service is gone, and the session has ended. */
  ended(reason: Error): void;
}

export interface PcscSession {
  connect(reader: string): Promise<PcscCard>;
  /** Null if the reader is not on USB or does not tell where. */
  locate(reader: string): Promise<PcscReaderUsbPortAndSerial | null>;
  close(): void;
}

/** The service accepts requests but does not respond. */
export class PcscTimeoutError extends Error {
  override readonly name = 'PcscTimeoutError';
}

export interface PcscService {
  /**
   * Rejects while the service is not running or its library is missing; with PcscTimeoutError if it does not respond.
   */
  open(watcher: PcscWatcher): Promise<PcscSession>;
  /** Does not block. */
  close(): void;
}
