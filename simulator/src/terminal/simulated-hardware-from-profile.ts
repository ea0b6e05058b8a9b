import { openHardware, type OpenedHardware } from '@lintel/device-runtime/hardware';
import type { InputLineState } from '@lintel/drivers/interfaces';
import { collectBusParts } from '@lintel/hardware-profiles/collect-bus-parts';
import type { BusWithDriver } from '@lintel/drivers/drivers';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { SimulatedParts } from '../virtual-hardware/simulated-parts.ts';
import { simulatedHardwareOpener } from '../virtual-hardware/simulated-hardware-opener.ts';

/** A simulated bus with the parts of all buses of a profile. */
const simulatedBus = ({ buses }: Profile): BusWithDriver<'simulated'> => {
  const { inputs, outputs, keypads, readers } = collectBusParts(buses);
  const lines = (parts: typeof inputs) => Object.fromEntries(parts.map(({ name }) => [name, { wire: name }]));
  return {
    driver: 'simulated',
    inputs: lines(inputs),
    outputs: lines(outputs),
    keypads: keypads.map(({ name }) => name),
    readers: readers.map(({ name }) => name),
  };
};

/** Simulated parts for any profile. The doors are closed. */
export class SimulatedHardware {
  readonly parts: OpenedHardware;
  readonly #simulated: SimulatedParts;

  private constructor(parts: OpenedHardware, simulated: SimulatedParts) {
    this.parts = parts;
    this.#simulated = simulated;
  }

  static async open(profile: Profile, clock: MonotonicClock, dataDir: string): Promise<SimulatedHardware> {
    const bus = simulatedBus(profile);
    const simulated = new SimulatedParts(bus, profile, clock);
    for (const gadget of profile.gadgets) {
      if (gadget.kind !== 'door' || gadget.contact === undefined) continue;
      const { input, open_when } = gadget.contact;
      simulated.inputs.set(input, open_when === 'active' ? 'inactive' : 'active');
    }
    const context = { clock, dataDir, log: () => undefined, loadVirtualHardware: async () => simulatedHardwareOpener };
    const { outputs, inputs, keypads, readers } = simulated;
    const opened = { outputs, inputs, keypads, readers, close: async () => undefined };
    return new SimulatedHardware(
      await openHardware({ ...profile, buses: { all: bus } }, context, async () => opened),
      simulated,
    );
  }

  pressKeys(keypad: string, keys: string): void {
    this.#simulated.keypads.get(keypad)?.press(keys);
  }

  tapCard(reader: string, uid: string): void {
    this.#simulated.readers.get(reader)?.tap(uid);
  }

  isOn(output: string): boolean {
    return this.#simulated.outputs.isOn(output);
  }

  level(input: string): InputLineState {
    return this.#simulated.inputs.level(input);
  }

  setInput(input: string, level: InputLineState): void {
    this.#simulated.inputs.set(input, level);
  }

  pressButton(input: string): void {
    this.#simulated.inputs.press(input);
  }
}
