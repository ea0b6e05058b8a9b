import type { FaultListener } from '../ports/part-fault.ts';

/** Bytes to and from a serial port that may be unplugged at any time and comes back by itself. */
export interface SerialLine {
  /** Resolves when the bytes have left for the wire. Rejects while the port is away, or when too much waits already. */
  write(bytes: Uint8Array): Promise<void>;
  /** Told as they come, in pieces of any size. The bytes stay what they are, and are for all listeners the same. */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** `absent` while the port is away, null when it is back. A listener that comes later is told a fault that lasts. */
  onFault(listener: FaultListener): void;
  close(): Promise<void>;
}
