import type { BusOf } from '@lintel/hardware-profiles/buses';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { AskingReader } from '@lintel/wire-protocol/phone/phone-application';
import type { CardReader } from '../ports/card-reader.ts';
import type { InputLines } from '../ports/input-lines.ts';
import type { Keypad } from '../ports/keypad.ts';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { OutputLines } from '../ports/output-lines.ts';
import type { GadgetWiring, Wiring } from '../ports/wiring.ts';

/** What a driver has to know beside its own bus. */
export interface PartsContext {
  readonly log: Log;
  readonly clock: MonotonicClock;
  readonly dataDir: string;
  /** Whom a phone is asked by; null until the controller is claimed. */
  readonly phoneIdentity?: () => AskingReader | null;
  /** Loads what stands in for the parts of a `simulated` bus. Absent: such a bus is a fault. */
  readonly loadVirtualHardware?: () => Promise<VirtualHardware>;
  /** Puts the machine's clock so far from the right time, where that can be done. */
  readonly stepClock?: (ms: number) => void;
}

export interface BusContext extends PartsContext {
  /** Of the bus, as the profile has it. */
  readonly name: string;
  readonly profile: Profile;
}

/** Stands in for hardware where a profile names the driver `simulated`. */
export interface VirtualHardware {
  openBus(bus: BusOf<'simulated'>, context: BusContext): Promise<OpenedBus>;
  /** Wires a gadget that the profile does not name. */
  wireGadget(gadget: Parameters<Wiring['gadget']>[0], place: number, station: string): GadgetWiring;
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
