import type { Monotonic } from '@lintel/access-core/monotonic';
import type { PartFault } from '../ports/part-fault.ts';
import type { Aes } from './aes.ts';
import type { Command } from './commands.ts';
import type { ReceivedPacket } from './packet.ts';
import type { ReaderKey } from './reader-keys.ts';
import type { PeripheralIdentity, Reply } from './replies.ts';
import type { Session, SessionKeys } from './secure-session.ts';

/**
 * `paired`: by its own key or not at all. `pair`: a reader without a key is given one over the installation key, once.
 * `plain`: in the clear, as long as there is no key for it: a reader that was secure once never falls back.
 */
export type OsdpSecurity = 'paired' | 'pair' | 'plain';

export interface PeripheralSetup {
  readonly address: number;
  readonly crc: boolean;
  readonly security: OsdpSecurity;
  readonly aes: Aes;
  readonly random: (count: number) => Uint8Array;
  readonly key_store: KeyStore;
}

/** Where the key of this reader is kept. Asked with every new session: people delete the key to pair the reader anew. */
interface KeyStore {
  /** For people. */
  readonly place: string;
  /** Throws ReaderKeyError. */
  read(): ReaderKey | null;
}

/** For people. */
export const readerAt = ({ address }: PeripheralSetup): string => `the reader at address ${address}`;

/** Two characters at the slowest speed: the reader's driver lets go of the line. */
export const TURNAROUND_MS = 2;

export interface BaseKey {
  readonly bytes: Uint8Array;
  readonly installation: boolean;
}

export type Phase =
  | { readonly name: 'greet' }
  | { readonly name: 'challenge'; readonly base: BaseKey; readonly random: Uint8Array }
  | { readonly name: 'prove'; readonly base: BaseKey; readonly keys: SessionKeys; readonly cryptogram: Uint8Array }
  | { readonly name: 'hand_over_key'; readonly key: Uint8Array }
  | { readonly name: 'discover' }
  | { readonly name: 'watch' };

export type StatusQuestion = 'lstat' | 'istat';

export interface InFlight {
  readonly command: Command;
  readonly sequence: number;
  /** A repetition is the same bytes: the reader then repeats its answer, and the MACs stay in step. */
  readonly bytes: Uint8Array;
  readonly tries: number;
  /** The last try was answered by something that was no packet any more. */
  readonly has_heard_damage: boolean;
  readonly sent_at: Monotonic;
}

export interface PeripheralState {
  readonly phase: Phase;
  /** Of the next command. */
  readonly sequence: number;
  readonly session: Session | null;
  readonly in_flight: InFlight | null;
  /** When it wants the bus next. */
  readonly due_at: Monotonic;
  readonly heard_at: Monotonic | null;
  readonly busy_since: Monotonic | null;
  /** Sessions in a row that came to nothing. */
  readonly failures: number;
  /** As it was kept when the last session began. */
  readonly key: ReaderKey | null;
  /** A key that was sent but never confirmed may not have arrived. */
  readonly try_installation: boolean;
  readonly online: boolean;
  readonly tampered: boolean;
  readonly fault: PartFault | null;
  readonly queue: readonly Command[];
  readonly identity: PeripheralIdentity | null;
  /** What it has an answer to. */
  readonly answers: readonly StatusQuestion[];
  readonly questions: readonly StatusQuestion[];
  readonly ask_at: Monotonic;
}

export type PeripheralInput =
  /** The bus is free. */
  | { readonly type: 'turn' }
  | { readonly type: 'packet'; readonly packet: ReceivedPacket }
  /** No answer in time. */
  | { readonly type: 'silence'; readonly has_heard_damage: boolean }
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'line_lost'; readonly fault: PartFault }
  | { readonly type: 'line_back' }
  | { readonly type: 'key_not_kept' };

export type PeripheralEffect =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  /** The bus is free again. */
  | { readonly type: 'answered' }
  /** Before the sending that follows: a key that only the reader has would be lost with it. */
  | { readonly type: 'keep_key'; readonly key: ReaderKey }
  /** A new session: what the reader was told before, it may have forgotten. */
  | {
      readonly type: 'ready';
      readonly identity: PeripheralIdentity | null;
    }
  | { readonly type: 'fault'; readonly fault: PartFault | null }
  | { readonly type: 'reply'; readonly reply: Reply }
  /** What it was told, it has done, or refused for a reason of the standard's list. */
  | { readonly type: 'executed'; readonly command: Command['type']; readonly refusal: number | null };

export interface PeripheralStep {
  readonly state: PeripheralState;
  readonly effects: readonly PeripheralEffect[];
}

export const initialPeripheral = (now: Monotonic): PeripheralState => ({
  phase: { name: 'greet' },
  sequence: 0,
  session: null,
  in_flight: null,
  due_at: now,
  heard_at: null,
  busy_since: null,
  failures: 0,
  key: null,
  try_installation: false,
  online: false,
  tampered: false,
  fault: null,
  queue: [],
  identity: null,
  answers: ['lstat', 'istat'],
  questions: [],
  ask_at: now,
});
