import type { BluetoothRadio } from '../interfaces/bluetooth-radio.ts';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { InputLines } from '../interfaces/input-lines.ts';
import type { Keypad } from '../interfaces/keypad.ts';
import type { OutputLines } from '../interfaces/output-lines.ts';
import type { ReplaceableReader } from '../interfaces/replaceable-reader.ts';

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
  /** Readers with a secure channel, by their bus addresses. */
  readonly replaceable?: readonly ReplaceableReader[];
  readonly close: () => Promise<void>;
}
