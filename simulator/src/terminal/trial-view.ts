/** What a face shows of a trial. */
export interface TrialView {
  readonly product: string;
  readonly rulesFile: string | null;
  readonly stations: readonly StationView[];
  /** Of the station whose keys are pressed. */
  readonly station: number;
  readonly doors: readonly DoorView[];
  /** Of the door whose leaf is moved. */
  readonly door: number;
  readonly others: readonly { readonly name: string; readonly state: string }[];
  readonly entry: EntryView;
  readonly decision: string;
  /** The newest last. */
  readonly happened: readonly string[];
  readonly faults: readonly string[];
}

export interface StationView {
  readonly id: string;
  readonly hasKeypad: boolean;
  readonly hasReader: boolean;
  /** Null: there is none. */
  readonly green: boolean | null;
  readonly red: boolean | null;
  readonly buzzer: boolean | null;
  readonly lockedForMs: number;
}

export interface DoorView {
  readonly name: string;
  readonly strike: string;
  readonly isUnlocked: boolean;
  /** Null: it has no contact, and nobody knows. */
  readonly isOpen: boolean | null;
  readonly hasExitButton: boolean;
  readonly state: string;
}

export interface EntryView {
  readonly phase: 'idle' | 'code' | 'armed';
  /** What a PIN or a card would do now. */
  readonly armed: string | null;
  readonly typed: string;
  readonly expected: string;
}
