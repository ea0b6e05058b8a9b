import type { ActionStep, OutputInterlock } from '@lintel/access-core/door/action-steps';
import type { BlindConfig } from '@lintel/access-core/door/blind';
import type { DoorConfig } from '@lintel/access-core/door/door-config';
import type { CardReader } from './card-reader.ts';
import type { FeedbackChanges } from './feedback.ts';
import type { Keypad } from './keypad.ts';
import type { SliceEntryOf } from '@lintel/wire-protocol/mqtt/slice-entry';

type GadgetEntry = SliceEntryOf<'gadget'>;

export interface DoorWiring {
  readonly kind: 'door';
  readonly config: DoorConfig;
  readonly strike: string;
  readonly contact: { readonly input: string; readonly open_when: 'active' | 'inactive' } | null;
  readonly exit_button: string | null;
  /** What each action of the gadget means at a door. */
  readonly actions: Readonly<Record<string, 'open' | 'unlock' | 'lock'>>;
  /** The station whose lights and buzzer speak for this door. */
  readonly station: string | null;
}

export interface BlindWiring {
  readonly kind: 'blind';
  readonly config: BlindConfig;
}

/** Anything else that is switched: lights, gates, lockers. */
export interface SwitchWiring {
  readonly kind: 'switch';
  readonly outputs: readonly string[];
  readonly interlocks: readonly OutputInterlock[];
  /** What the gadget is in when all its outputs are off; null when that is not known. */
  readonly resting_state_id: string | null;
  /** `state_id`: what the gadget is in afterwards, null when that is not known. */
  readonly actions: Readonly<
    Record<string, { readonly steps: readonly ActionStep[]; readonly state_id: string | null }>
  >;
}

export type GadgetWiring = DoorWiring | BlindWiring | SwitchWiring;

/** Lights and buzzer by the names of their lines; what is not fitted is null. */
export interface IndicatorWiring {
  readonly green: string | null;
  readonly red: string | null;
  readonly buzzer: string | null;
}

/** A place where people identify themselves: a keypad and a reader that belong together, or one of them. */
export interface StationWiring {
  readonly id: string;
  readonly keypad: Keypad | null;
  readonly reader: CardReader | null;
  readonly indicator: IndicatorWiring;
}

export interface Wiring {
  readonly stations: readonly StationWiring[];
  /** An input line that is active while the housing is open. */
  readonly tamper: string | null;
  /** A button inside the housing that makes the setup code valid again for a while. */
  readonly setup_button?: string | null;
  /** All lines of the board, also those that nothing hangs on yet. */
  readonly lines?: { readonly inputs: readonly string[]; readonly outputs: readonly string[] };
  /** Patterns of the lights and the buzzer in place of the usual ones. */
  readonly feedback?: FeedbackChanges;
  /** What hangs on which line; `own` are the device's own gadgets, this one at `place`. Null: nothing is wired for it. */
  gadget(gadget: GadgetEntry, place: number, own: readonly GadgetEntry[]): GadgetWiring | null;
}
