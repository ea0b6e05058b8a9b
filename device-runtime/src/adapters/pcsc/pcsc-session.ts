/** A card that we talk to. All reject when it has left or the service is gone. */
export interface PcscCard {
  atr(): Promise<Uint8Array>;
  transmit(apdu: Uint8Array): Promise<Uint8Array>;
  release(): Promise<void>;
}

export interface PcscWatcher {
  /** With the first sight of a reader and with every change on it. */
  changed(reader: string, hasCard: boolean): void;
  unplugged(reader: string): void;
  /** The service is gone, and the session with it. */
  ended(): void;
}

export interface PcscSession {
  connect(reader: string): Promise<PcscCard>;
  close(): void;
}

/** Rejects while the service does not run, or its library is not installed. */
export type OpenPcscSession = (watcher: PcscWatcher) => Promise<PcscSession>;
