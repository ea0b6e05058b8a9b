/** Why the door makes a noise, as its own events say. */
export type DoorAlarm = 'held_open' | 'forced';

export interface DoorState {
  readonly key: string;
  readonly name: string;
  readonly site: string;
  readonly controller: string;
  /** Where people identify themselves for this door. */
  readonly station: string;
  readonly gadget_id: string;
  /** What to type before the PIN or the tap; empty where nothing is needed. */
  readonly code: string;
  /** The strike has let go. */
  readonly is_unlocked: boolean;
  readonly leaf: 'closed' | 'open';
  /** Somebody stands in the doorway and keeps it open. */
  readonly is_held: boolean;
  /** The gadget's state, as the firmware tells it. */
  readonly state_id: string | null;
  readonly alarm: DoorAlarm | null;
}
