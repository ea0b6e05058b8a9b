import type { PartFaultListener } from '../interfaces/part-fault.ts';

/** Bytes to and from a serial port that reconnects after unplugging. */
export interface SerialLine {
  /** Resolves when the bytes have been sent. Rejects while the port is absent or the queue is full. */
  write(bytes: Uint8Array): Promise<void>;
  /** Called with chunks of any size. The bytes are never overwritten and are shared by all listeners. */
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** Called each time the port has been opened, before its first bytes. */
  onOpen(listener: () => void): void;
  /** `absent` while the port is gone, null when it is back. A new listener gets the current fault. */
  onFault(listener: PartFaultListener): void;
  close(): Promise<void>;
}
