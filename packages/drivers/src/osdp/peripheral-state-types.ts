import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { AesCipher } from './aes.ts';
import type { OsdpCommand } from './encode-osdp-command.ts';
import type { ReceivedOsdpPacket } from './packet.ts';
import type { OsdpReaderKey } from './reader-key-store-interface.ts';
import type { OsdpPeripheralIdentity, OsdpReply } from './decode-osdp-reply.ts';
import type { OsdpSession, OsdpSessionKeys } from './secure-session.ts';

/**
 * `paired`: only with its own key. `pair`: a reader without a key gets one over the installation key, once. `plain`:
 * unencrypted, as long as no key is stored for it; a reader that was paired never falls back.
 */
export type OsdpSecurityMode = 'paired' | 'pair' | 'plain';

export interface OsdpPeripheralSetup {
  readonly address: number;
  readonly crc: boolean;
  readonly security: OsdpSecurityMode;
  readonly aes: AesCipher;
  readonly random: (count: number) => Uint8Array;
  readonly key_store: KeyStore;
}

/** Storage of the key. Read for each new session, because installers delete the key to pair the reader again. */
interface KeyStore {
  /** Shown in messages. */
  readonly place: string;
  /** Throws OsdpReaderKeyError. */
  read(): OsdpReaderKey | null;
}

/** Shown in messages. */
export const formatOsdpReaderName = ({ address }: OsdpPeripheralSetup): string => `Reader at address ${address}`;

/** Two characters at the slowest baud rate, so that the reader can release the line. */
export const OSDP_TURNAROUND_MS = 2;

export interface OsdpSessionBaseKey {
  readonly bytes: Uint8Array;
  /** The well-known key, which every reader without a key accepts. */
  readonly installation: boolean;
  /** The reader gets a key of its own in this session, and nothing else happens in it. */
  readonly sets_key: boolean;
}

/** A technician replaces the reader: until then a reader with this key is accepted and gets a key of its own. */
export interface OsdpReplacementWindow {
  readonly base: OsdpSessionBaseKey;
  readonly until: MonotonicTime;
}

export type OsdpPeripheralPhase =
  | { readonly name: 'greet' }
  | { readonly name: 'challenge'; readonly base: OsdpSessionBaseKey; readonly random: Uint8Array }
  | {
      readonly name: 'prove';
      readonly base: OsdpSessionBaseKey;
      readonly keys: OsdpSessionKeys;
      readonly cryptogram: Uint8Array;
    }
  | { readonly name: 'hand_over_key'; readonly key: Uint8Array }
  | { readonly name: 'discover' }
  | { readonly name: 'watch' };

export type OsdpStatusCommand = 'lstat' | 'istat';

export const OSDP_STATUS_COMMANDS: readonly OsdpStatusCommand[] = ['lstat', 'istat'];

export const isOsdpStatusCommand = (type: OsdpCommand['type']): type is OsdpStatusCommand =>
  (OSDP_STATUS_COMMANDS as readonly string[]).includes(type);

export interface OsdpInFlightCommand {
  readonly command: OsdpCommand;
  readonly sequence: number;
  /** A retry sends the same bytes: the reader then repeats its reply, and the MACs stay in sync. */
  readonly bytes: Uint8Array;
  readonly tries: number;
  /** The reply to the last attempt was damaged. */
  readonly has_heard_damage: boolean;
  readonly sent_at: MonotonicTime;
}

export interface OsdpPeripheralState {
  readonly phase: OsdpPeripheralPhase;
  /** Sequence number of the next command. */
  readonly sequence: number;
  readonly session: OsdpSession | null;
  readonly in_flight: OsdpInFlightCommand | null;
  /** When it is polled next. */
  readonly due_at: MonotonicTime;
  readonly heard_at: MonotonicTime | null;
  readonly busy_since: MonotonicTime | null;
  /** Consecutive failed sessions. */
  readonly failures: number;
  /** The key as stored when the last session began. */
  readonly key: OsdpReaderKey | null;
  /** Counts rejected keys, so that the next session tries the next of the permitted keys. */
  readonly key_choice: number;
  readonly replacement: OsdpReplacementWindow | null;
  readonly online: boolean;
  readonly tampered: boolean;
  readonly fault: PartFault | null;
  readonly queue: readonly OsdpCommand[];
  readonly identity: OsdpPeripheralIdentity | null;
  /** Status commands that the reader supports, as far as this session knows. */
  readonly answers: readonly OsdpStatusCommand[];
  readonly questions: readonly OsdpStatusCommand[];
  readonly ask_at: MonotonicTime;
}

export type OsdpPeripheralInput =
  /** The bus is free. */
  | { readonly type: 'turn' }
  | { readonly type: 'packet'; readonly packet: ReceivedOsdpPacket }
  /** Reply timeout. */
  | { readonly type: 'silence'; readonly has_heard_damage: boolean }
  | { readonly type: 'command'; readonly command: OsdpCommand }
  | { readonly type: 'line_lost'; readonly fault: PartFault }
  | { readonly type: 'line_back' }
  | { readonly type: 'key_not_kept' }
  /** Null: the replacement is canceled. */
  | { readonly type: 'replace'; readonly window: OsdpReplacementWindow | null };

export type OsdpPeripheralEffect =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  /** The bus is free again. */
  | { readonly type: 'answered' }
  /** Stored before it is sent: if only the reader had the key, it would be lost. */
  | { readonly type: 'keep_key'; readonly key: OsdpReaderKey }
  /** A new session: the reader may have lost its earlier state. */
  | {
      readonly type: 'ready';
      readonly identity: OsdpPeripheralIdentity | null;
    }
  | { readonly type: 'fault'; readonly fault: PartFault | null }
  /** The new reader has proved that it has its own key. */
  | { readonly type: 'replaced'; readonly identity: OsdpPeripheralIdentity | null }
  | { readonly type: 'reply'; readonly reply: OsdpReply }
  /** The command was executed, or refused with a NAK reason of the standard. */
  | { readonly type: 'executed'; readonly command: OsdpCommand; readonly refusal: number | null };

export interface OsdpPeripheralStep {
  readonly state: OsdpPeripheralState;
  readonly effects: readonly OsdpPeripheralEffect[];
}

export const createInitialOsdpPeripheralState = (now: MonotonicTime): OsdpPeripheralState => ({
  phase: { name: 'greet' },
  sequence: 0,
  session: null,
  in_flight: null,
  due_at: now,
  heard_at: null,
  busy_since: null,
  failures: 0,
  key: null,
  key_choice: 0,
  replacement: null,
  online: false,
  tampered: false,
  fault: null,
  queue: [],
  identity: null,
  answers: OSDP_STATUS_COMMANDS,
  questions: [],
  ask_at: now,
});
