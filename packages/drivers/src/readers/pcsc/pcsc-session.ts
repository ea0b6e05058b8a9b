/** A card that we talk to. All reject when it has left or the service is gone. */
export interface PcscCard {
  atr(): Promise<Uint8Array>;
  transmit(apdu: Uint8Array): Promise<Uint8Array>;
  release(): Promise<void>;
}

export interface PcscWatcher {
  /** With the first sight of a reader and with every change on it. */
  changed(reader: string, hasCard: boolean): void;
  /** A card lies there and does not answer: it is too far away, or no contactless card that the reader knows. */
  mute(reader: string): void;
  unplugged(reader: string): void;
  /** The service is gone, and the session with it. */
  ended(reason: Error): void;
}

export interface PcscSession {
  connect(reader: string): Promise<PcscCard>;
  close(): void;
}

/** The service takes what it is asked and does not answer. */
export class PcscTimeoutError extends Error {
  override readonly name = 'PcscTimeoutError';
}

export interface PcscService {
  /** Rejects while the service does not run, or its library is not installed; with PcscTimeoutError when it does not answer. */
  open(watcher: PcscWatcher): Promise<PcscSession>;
  /** Waits for nothing. */
  close(): void;
}
