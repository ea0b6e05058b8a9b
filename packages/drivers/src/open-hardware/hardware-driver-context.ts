import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { PresentedControllerIdentity } from '@lintel/wire-protocol/phone/nfc-phone-protocol';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PcscReaderAssignments } from '../readers/pcsc/pcsc-reader-assignments.ts';
import type { GadgetWiring, Wiring } from '../interfaces/wiring.ts';
import type { OpenedRadio, OpenedBus } from './opened-bus.ts';

export interface BluetoothContext {
  /** Null until the bridge has sent it. */
  readonly key: () => Uint8Array | null;
  /** Time of day in milliseconds, for the rotating identifier. */
  readonly now: () => number;
}

/** What every driver needs besides its bus. */
export interface HardwareContext {
  readonly log: Log;
  readonly clock: MonotonicClock;
  readonly dataDir: string;
  /** The identity that a phone signs for; null until the controller is claimed. */
  readonly phoneIdentity?: () => PresentedControllerIdentity | null;
  /** For phones over Bluetooth. Without it, the radio is not used. */
  readonly bluetooth?: BluetoothContext;
  /** Loads the drivers for `simulated` buses. Without it such a bus is a fault. */
  readonly loadVirtualHardware?: () => Promise<SimulatedHardwareOpener>;
  /** Readers that a technician assigned on site. Without it, such readers are not used. */
  readonly pcscReaders?: PcscReaderAssignments;
  /** Sets the system clock this far from the correct time, if supported. */
  readonly stepClock?: (ms: number) => void;
}

export interface BusContext extends HardwareContext {
  /** The name of the bus in the profile. */
  readonly name: string;
  readonly profile: Profile;
}

/** What a radio needs to authenticate phones. */
export interface BluetoothRadioContext extends HardwareContext {
  /** Null until the controller is claimed. */
  readonly identity: () => PresentedControllerIdentity | null;
  /** Null until the bridge has sent it. */
  readonly bluetoothKey: () => Uint8Array | null;
}

/** Replaces hardware if a profile names the driver `simulated`. */
export interface SimulatedHardwareOpener {
  openBus(bus: BusWithDriver<'simulated'>, context: BusContext): Promise<OpenedBus>;
  openRadio(context: BluetoothRadioContext): Promise<OpenedRadio>;
  /** Wires a gadget that the profile does not name. */
  wireGadget(gadget: Parameters<Wiring['gadget']>[0], place: number, station: string): GadgetWiring;
}
