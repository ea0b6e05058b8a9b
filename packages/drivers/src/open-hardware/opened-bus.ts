import type { BluetoothRadio } from '../ports/bluetooth-radio.ts';
import type { CardReader } from '../ports/card-reader.ts';
import type { InputLines } from '../ports/input-lines.ts';
import type { Keypad } from '../ports/keypad.ts';
import type { OutputLines } from '../ports/output-lines.ts';

export interface OpenedRadio {
  readonly radio: BluetoothRadio;
  close(): Promise<void>;
}

/** An open bus of a profile. Handles unplugging and replugging itself. */
export interface OpenedBus {
  readonly outputs?: OutputLines;
  readonly inputs?: InputLines;
  /** By their names in the profile. */
  readonly keypads?: ReadonlyMap<string, Keypad>;
  readonly readers?: ReadonlyMap<string, CardReader>;
  readonly close: () => Promise<void>;
}
