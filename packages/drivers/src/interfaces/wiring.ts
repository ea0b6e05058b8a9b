import type { ActionStep, OutputInterlock } from '@lintel/access-core/gadgets/action-steps';
import type { BlindConfig } from '@lintel/access-core/gadgets/blind';
import type { DoorConfig } from '@lintel/access-core/door/door-config';
import type { BluetoothProximityLimits } from '@lintel/wire-protocol/bluetooth/controller-session';
import type { BluetoothRadio } from './bluetooth-radio.ts';
import type { CardReader } from './card-reader.ts';
import type { FeedbackOverrides } from './feedback-kinds.ts';
import type { Keypad } from './keypad.ts';
import type { SnapshotGadgetEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';

export interface DoorWiring {
  readonly kind: 'door';
  readonly config: DoorConfig;
  readonly strike: string;
  readonly contact: { readonly input: string; readonly open_when: 'active' | 'inactive' } | null;
  readonly exit_button: string | null;
  /** What each action of the gadget does at a door. */
  readonly actions: Readonly<Record<string, 'open' | 'unlock' | 'lock'>>;
  /** The reader unit whose lights and buzzer give feedback for this door. */
  readonly station: string | null;
  /** The signal that a phone needs over Bluetooth, in place of the limit for all doors. */
  readonly rssi_threshold?: number;
}

export interface BlindWiring {
  readonly kind: 'blind';
  readonly config: BlindConfig;
}

/** Any other switched gadget: lights, gates, lockers. */
export interface SwitchWiring {
  readonly kind: 'switch';
  readonly outputs: readonly string[];
  readonly interlocks: readonly OutputInterlock[];
  /** The state of the gadget while all its outputs are off; null if unknown. */
  readonly resting_state_id: string | null;
  /** `state_id`: the state of the gadget afterwards; null if unknown. */
  readonly actions: Readonly<
    Record<string, { readonly steps: readonly ActionStep[]; readonly state_id: string | null }>
  >;
}

export type GadgetWiring = DoorWiring | BlindWiring | SwitchWiring;

/** Lights and buzzer by line name; null if not fitted. */
export interface IndicatorWiring {
  readonly green: string | null;
  readonly red: string | null;
  readonly buzzer: string | null;
}

/** A place where people identify themselves: a keypad, a card reader, or both. */
export interface ReaderUnitWiring {
  readonly id: string;
  readonly keypad: Keypad | null;
  readonly reader: CardReader | null;
  readonly indicator: IndicatorWiring;
}

export interface BluetoothRadioWiring {
  readonly radio: BluetoothRadio;
  readonly limits: BluetoothProximityLimits;
}

export interface Wiring {
  readonly stations: readonly ReaderUnitWiring[];
  /** Null or absent without a radio. */
  readonly bluetooth?: BluetoothRadioWiring | null;
  /** An input line that is active while the housing is open. */
  readonly tamper: string | null;
  /** A button inside the housing that makes the setup code valid again for a while. */
  readonly setup_button?: string | null;
  /** All lines of the board, including unused ones. */
  readonly lines?: { readonly inputs: readonly string[]; readonly outputs: readonly string[] };
  /** Patterns of the lights and the buzzer that replace the defaults. */
  readonly feedback?: FeedbackOverrides;
  /**
   * The wiring of a gadget; `own` are the device's own gadgets, this one at index `place`. Null if no wiring is
   * available.
   */
  gadget(gadget: SnapshotGadgetEntry, place: number, own: readonly SnapshotGadgetEntry[]): GadgetWiring | null;
}
