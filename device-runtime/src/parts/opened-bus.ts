import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { AskingReader } from '@lintel/wire-protocol/phone/phone-application';
import type { CardReader } from '../ports/card-reader.ts';
import type { InputLines } from '../ports/input-lines.ts';
import type { Keypad } from '../ports/keypad.ts';
import type { Log } from '../ports/log.ts';
import type { MonotonicClock } from '../ports/monotonic-clock.ts';
import type { OutputLines } from '../ports/output-lines.ts';

/** What a driver has to know beside its own bus. */
export interface PartsContext {
  readonly log: Log;
  readonly clock: MonotonicClock;
  readonly dataDir: string;
  /** Whom a phone is asked by; null until the controller is claimed. */
  readonly phoneIdentity?: () => AskingReader | null;
  /** Puts the machine's clock so far from the right time, where that can be done. */
  readonly stepClock?: (ms: number) => void;
}

export interface BusContext extends PartsContext {
  /** Of the bus, as the profile has it. */
  readonly name: string;
  readonly profile: Profile;
}

/** One bus of a profile at work. From here on it minds unplugging and plugging in by itself. */
export interface OpenedBus {
  readonly outputs?: OutputLines;
  readonly inputs?: InputLines;
  /** By the names that the profile gives them. */
  readonly keypads?: ReadonlyMap<string, Keypad>;
  readonly readers?: ReadonlyMap<string, CardReader>;
  close(): Promise<void>;
}
