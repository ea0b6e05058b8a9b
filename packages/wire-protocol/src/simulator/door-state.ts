/** The active alarm, as reported by events. */
export type SimulatedDoorAlarm = 'held_open' | 'forced';

export interface SimulatedDoorState {
  readonly key: string;
  readonly name: string;
  readonly site: string;
  readonly controller: string;
  /** The reader unit of this door. */
  readonly station: string;
  readonly gadget_id: string;
  /** The code to type before the PIN or tap; empty if none is needed, null if no input rule opens this door. */
  readonly code: string | null;
  /** The strike is released. */
  readonly is_unlocked: boolean;
  readonly leaf: 'closed' | 'open';
  /** A person holds the door open. */
  readonly is_held: boolean;
  /** The state of the gadget, as reported by the firmware. */
  readonly state_id: string | null;
  readonly alarm: SimulatedDoorAlarm | null;
}
