import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';
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

export interface BluetoothContext {
  /** Null until the bridge has sent it. */
  readonly key: () => Uint8Array | null;
  /** Time of day in milliseconds, for the rotating identifier. */
  readonly now: () => number;
}

/** What every driver needs besides its bus. */
export interface DriverContext {
  readonly log: Log;
  readonly clock: MonotonicClock;
  readonly dataDir: string;
  /** The identity that a phone signs for; null until the controller is claimed. */
  readonly phoneIdentity?: () => PresentedControllerIdentity | null;
  /** For phones over Bluetooth. Without it, the radio is not used. */
  readonly bluetooth?: BluetoothContext;
  /** Loads the drivers for simulated parts. Without it such a bus is a fault. */
  readonly loadSimulatedParts?: () => Promise<SimulatedPartsOpener>;
  /** Readers that a technician assigned on site. Without it, such readers are not used. */
  readonly pcscReaders?: AssignedReaders;
  /** Sets the system clock this far from the correct time, if supported. */
  readonly stepClock?: (ms: number) => void;
}

export interface BusContext extends DriverContext {
  /** The name of the bus in the profile. */
  readonly name: string;
}

/** What a radio needs to authenticate phones. */
export interface BluetoothRadioContext extends DriverContext {
  /** Null until the controller is claimed. */
  readonly identity: () => PresentedControllerIdentity | null;
  /** Null until the bridge has sent it. */
  readonly bluetoothKey: () => Uint8Array | null;
}

/** The names and USB ports of equal readers, which a technician told apart on site. */
interface AssignedReaders {
  usbPathOf(reader: string): string | null;
  onChange(listener: () => void): void;
}

export interface SimulatedBusSettings {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly keypads: readonly string[];
  readonly readers: readonly string[];
}

/** Opens simulated parts in place of hardware. */
export interface SimulatedPartsOpener {
  openBus(settings: SimulatedBusSettings, context: BusContext): Promise<OpenedBus>;
  openRadio(context: BluetoothRadioContext): Promise<OpenedRadio>;
}
