import { collectBusParts } from '@lintel/hardware-profiles/collect-bus-parts';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { SimulatedKeypad } from '@lintel/simulator/virtual-hardware/simulated-keypad';
import { SimulatedOutputs } from '@lintel/simulator/virtual-hardware/simulated-outputs';
import { SimulatedReader } from '@lintel/simulator/virtual-hardware/simulated-reader';
import { VirtualClock } from '@lintel/test/support/virtual-clock';
import type { BusOpener } from '@lintel/drivers/drivers';
import { CombinedOutputs } from '@lintel/drivers/hardware';
import { openHardware, listAssignableProfileGadgets } from './open-hardware.ts';
import { ProfileControllers, shippedProfile } from '@lintel/test/support/hardware/profile-controller';

let controllers: ProfileControllers;
beforeEach(() => {
  controllers = new ProfileControllers();
});
afterEach(() => controllers.close());

/** Simulated parts for buses of any driver, each with exactly the lines of the profile. */
const playBuses = (profile: Profile) => {
  const clock = new VirtualClock();
  const all = collectBusParts(profile.buses);
  const keypads = new Map(all.keypads.map(({ name }) => [name, new SimulatedKeypad()]));
  const readers = new Map(all.readers.map(({ name }) => [name, new SimulatedReader(clock)]));
  const outputs = new Map<string, SimulatedOutputs>();
  const inputs = new Map<string, SimulatedInputs>();
  const open: BusOpener = async (_, { name }) => {
    const own = all.outputs.filter(({ bus }) => bus === name).map(one => one.name);
    outputs.set(name, new SimulatedOutputs(clock, own));
    inputs.set(name, new SimulatedInputs());
    return { outputs: outputs.get(name)!, inputs: inputs.get(name)!, keypads, readers, close: async () => undefined };
  };
  const isOn = (output: string): boolean => [...outputs.values()].some(board => board.isOn(output));
  return { open, keypads, readers, outputs, inputs, isOn };
};

describe('openHardware', () => {
  describe('for each shipped product', () => {
    const products = loadProfiles().filter(({ gadgets }) => gadgets.length > 0);

    it.each(products)('$product_id unlocks only its first gadget with a PIN and a card', async profile => {
      const play = playBuses(profile);
      const world = await controllers.start(profile, play.open);
      const names = profile.gadgets.map(({ name }, index) => ({ id: `gad_${index}`, name, created_at: index + 1 }));
      await world.serve(
        ...names.map(({ id, created_at }, index) => ({
          id,
          created_at,
          actions: [...listAssignableProfileGadgets(profile)[index]!.action_ids],
        })),
      );
      expect(world.codes()).toEqual([]);
      const [first] = profile.gadgets;
      const output = first!.kind === 'door' ? first!.strike : 'relay_1';
      const others = collectBusParts(profile.buses).outputs.filter(({ name }) => /relay/.test(name) && name !== output);
      for (const keypad of play.keypads.values()) keypad.press('2580');
      expect(play.isOn(output)).toBe(play.keypads.size > 0);
      for (const { name } of others) expect(play.isOn(name)).toBe(false);
      for (const reader of play.readers.values()) expect(reader.tap('04a1b2c3')).toBe(true);
    });

    it.each(products)('$product_id reports a gadget without wiring', async profile => {
      const world = await controllers.start({ ...profile, other_gadgets: 'fault' }, playBuses(profile).open);
      await world.serve({ id: 'gad_odd', actions: ['self_destruct'] });
      expect(world.device.controller.faults()).toMatchObject([
        { code: 'gadget:gad_odd', message: 'No output is wired for the gadget gad_odd (gad_odd)' },
      ]);
    });
  });

  it('reports the reader signal of each station separately', async () => {
    const profile = shippedProfile('rpi-osdp');
    const play = playBuses(profile);
    const world = await controllers.start(profile, play.open);
    play.readers.get('staff_reader')!.recordSignal('line', 'damaged');
    const signals = world.device.controller.technician.readerSignals();
    expect(signals.get('front')?.line).toMatchObject({ broken: 0 });
    expect(signals.get('staff')?.line).toMatchObject({ broken: 1, worst: 'damaged' });
  });

  it('has no reader signal of a station whose reader is missing', async () => {
    const noAdapter: BusOpener = () => Promise.reject(new Error('no adapter'));
    const { device } = await controllers.start(shippedProfile('rpi-osdp'), noAdapter, new VirtualClock());
    expect([...device.controller.technician.readerSignals()]).toEqual([
      ['front', null],
      ['staff', null],
    ]);
  });

  describe('with a bus that cannot be opened', () => {
    const profile = shippedProfile('rpi-osdp');

    it('retries until it opens, while the other buses work', async () => {
      const play = playBuses(profile);
      let isThere = false;
      const open: BusOpener = (bus, one) =>
        bus.driver === 'osdp' && !isThere ? Promise.reject(new Error('no USB adapter 0403:6001')) : play.open(bus, one);
      const clock = new VirtualClock();
      const world = await controllers.start(profile, open, clock);
      await world.serve({ id: 'gad_front' });
      expect(world.codes()).toEqual(
        expect.arrayContaining(['keypad:front', 'reader:front', 'keypad:staff', 'outputs:rs485', 'inputs:rs485']),
      );
      expect(world.device.controller.faults().find(({ code }) => code === 'keypad:front')?.message).toBe(
        'rs485: no USB adapter 0403:6001',
      );
      expect(world.codes()).not.toContain('tamper');
      play.inputs.get('gpio')!.press('front_exit');
      expect(play.isOn('front_relay')).toBe(true);
      isThere = true;
      clock.advance(1_000);
      await expect.poll(() => world.codes()).toEqual([]);
      play.keypads.get('staff_reader')!.press('2580');
      expect(play.isOn('staff_green')).toBe(true);
    });

    it('reports tamper when the bus opens at last with a cut housing line', async () => {
      const play = playBuses(profile);
      let isThere = false;
      const open: BusOpener = async (bus, one) => {
        if (bus.driver === 'osdp' && !isThere) throw new Error('no USB adapter 0403:6001');
        const opened = await play.open(bus, one);
        play.inputs.get('rs485')?.set('front_tamper', 'unknown');
        return opened;
      };
      const clock = new VirtualClock();
      const world = await controllers.start(profile, open, clock);
      isThere = true;
      clock.advance(1_000);
      await expect.poll(() => world.codes()).toEqual(['tamper']);
    });

    it('does not delay the start when the bus never responds', async () => {
      const clock = new VirtualClock();
      const opening = openHardware(profile, { ...controllers.context(), clock }, () => new Promise(() => undefined));
      clock.advance(3_000);
      const parts = await opening;
      const reported: string[] = [];
      parts.outputs.onFault((fault, part) => reported.push(`${part}: ${fault?.message}`));
      expect(reported).toEqual(['rs485: rs485 does not respond', 'gpio: gpio does not respond']);
      expect(parts.inputs.level('front_contact')).toBe('unknown');
      expect(() => parts.outputs.energize('front_relay', null)).toThrow('gpio does not respond');
      await parts.close();
    });
  });

  it('reports the faults of the boards of one bus separately', async () => {
    const profile = shippedProfile('rpi-osdp');
    const boards = new Map(
      ['front_reader', 'staff_reader'].map(name => [name, new SimulatedOutputs(new VirtualClock())]),
    );
    const joined = new CombinedOutputs(boards, new Map([['front_green', 'front_reader']]), null);
    const open: BusOpener = async (_, { name }) => ({
      ...(name === 'rs485' ? { outputs: joined } : {}),
      close: async () => undefined,
    });
    const world = await controllers.start(profile, open);
    for (const board of boards.values()) board.fail({ kind: 'absent', message: 'cut' });
    boards.get('front_reader')!.fail(null);
    expect(world.codes().filter(code => code.startsWith('outputs'))).toEqual(['outputs:rs485.staff_reader']);
  });
});
