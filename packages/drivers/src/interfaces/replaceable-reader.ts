import type { PartFault } from './part-fault.ts';

/** What the new reader says about itself. */
export interface ReaderIdentity {
  /** As registered with the IEEE, six hexadecimal digits. */
  readonly vendor: string;
  readonly model: number;
  readonly version: number;
  readonly serial: number;
  readonly firmware: string;
}

/**
 * `old_reader`: the present reader still responds with its key. `other_address`: a reader responds at an address that
 * the profile does not use. `refused`: a reader responds, but cannot be used; see `message`.
 */
export type SeenAtReplacement = 'connecting' | 'no_answer' | 'other_address' | 'old_reader' | 'refused';

export interface ReaderReplacement {
  readonly state: 'waiting' | 'done' | 'timed_out' | 'canceled';
  readonly remaining_ms: number;
  readonly seen: SeenAtReplacement;
  readonly message: string | null;
  /** Where a reader responds instead. */
  readonly found_address: number | null;
  /** Of the new reader, when it is done and identified itself. */
  readonly identity: ReaderIdentity | null;
}

export interface ReaderReplacementOptions {
  /** The key of the new reader; null: it is in installation mode. */
  readonly key: Uint8Array | null;
  readonly forMs: number;
  readonly onEnd: (replacement: ReaderReplacement) => void;
}

/** A reader on a bus with a secure channel, which can be replaced by one with another key. */
export interface ReplaceableReader {
  /** Its names in the profile; several if one module has several readers. */
  readonly readers: readonly string[];
  readonly bus: string;
  readonly address: number;
  fault(): PartFault | null;
  /** The last one since the controller started; null if none. */
  replacement(): ReaderReplacement | null;
  /** Ends the one before. */
  startReplacement(options: ReaderReplacementOptions): void;
  cancelReplacement(): void;
}
