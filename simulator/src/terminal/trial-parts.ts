import { partsOfBuses } from '@lintel/hardware-profiles/bus-parts';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { SimulatedInputs } from '../virtual-hardware/simulated-inputs.ts';
import { SimulatedKeypad } from '../virtual-hardware/simulated-keypad.ts';
import { SimulatedOutputs } from '../virtual-hardware/simulated-outputs.ts';
import { SimulatedReader } from '../virtual-hardware/simulated-reader.ts';
import { openParts, type Parts } from '@lintel/drivers/open-parts/open-parts';
import type { LineLevel } from '@lintel/drivers/ports/input-lines';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { virtualHardware } from '../virtual-hardware/virtual-hardware.ts';

interface TrialBus {
  readonly outputs: SimulatedOutputs;
  readonly inputs: SimulatedInputs;
  readonly keypads: ReadonlyMap<string, SimulatedKeypad>;
  readonly readers: ReadonlyMap<string, SimulatedReader>;
}

/** The parts of any product, none of them real: whatever hangs on a bus in the profile can be pressed and watched here. */
export class TrialParts {
  readonly parts: Parts;
  readonly #buses: ReadonlyMap<string, TrialBus>;
  readonly #busOf: ReadonlyMap<string, string>;

  private constructor(parts: Parts, buses: ReadonlyMap<string, TrialBus>, busOf: ReadonlyMap<string, string>) {
    this.parts = parts;
    this.#buses = buses;
    this.#busOf = busOf;
  }

  static async open(profile: Profile, clock: MonotonicClock, dataDir: string): Promise<TrialParts> {
    const all = partsOfBuses(profile.buses);
    const named = <T>(bus: string, kind: 'keypads' | 'readers', make: () => T) =>
      new Map(all[kind].filter(part => part.bus === bus).map(({ name }) => [name, make()]));
    const buses = new Map(
      Object.keys(profile.buses).map(bus => [
        bus,
        {
          outputs: new SimulatedOutputs(clock),
          inputs: new SimulatedInputs(),
          keypads: named(bus, 'keypads', () => new SimulatedKeypad()),
          readers: named(bus, 'readers', () => new SimulatedReader(clock)),
        },
      ]),
    );
    const busOf = new Map([...all.inputs, ...all.outputs].map(({ name, bus }) => [name, bus]));
    for (const gadget of profile.gadgets) {
      if (gadget.kind !== 'door' || gadget.contact === undefined) continue;
      const { input, open_when } = gadget.contact;
      buses.get(busOf.get(input) ?? '')?.inputs.set(input, open_when === 'active' ? 'inactive' : 'active');
    }
    const context = { clock, dataDir, log: () => undefined, loadVirtualHardware: async () => virtualHardware };
    const parts = await openParts(profile, context, async (_, { name }) => ({
      ...buses.get(name)!,
      close: async () => undefined,
    }));
    return new TrialParts(parts, buses, busOf);
  }

  #bus(line: string): TrialBus | undefined {
    return this.#buses.get(this.#busOf.get(line) ?? '');
  }

  press(keypad: string, key: string): void {
    for (const { keypads } of this.#buses.values()) keypads.get(keypad)?.press(key);
  }

  tap(reader: string, uid: string): void {
    for (const { readers } of this.#buses.values()) readers.get(reader)?.tap(uid);
  }

  isOn(output: string): boolean {
    return this.#bus(output)?.outputs.isOn(output) ?? false;
  }

  level(input: string): LineLevel {
    return this.#bus(input)?.inputs.level(input) ?? 'unknown';
  }

  move(input: string, level: LineLevel): void {
    this.#bus(input)?.inputs.set(input, level);
  }

  pressButton(input: string): void {
    this.#bus(input)?.inputs.press(input);
  }
}
