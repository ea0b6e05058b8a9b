import { join } from 'node:path';
import type { KeyEntryTimes } from '@lintel/access-core/key-entry-model';
import { parseKeyEntryTimes } from '@lintel/access-core/key-entry-times';
import type { UntrustedTimePolicy } from '@lintel/access-core/permission/decision';
import type { Problem } from '@lintel/access-core/result';
import { partsOfBuses } from '@lintel/hardware-profiles/bus-parts';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { StateFiles } from '@lintel/service/data-folder/state-files';
import type { Wiring } from '../ports/wiring.ts';
import type { InputLines } from '../ports/input-lines.ts';
import type { OutputLines } from '../ports/output-lines.ts';
import { BusSlot, type BusNames } from './bus-slot.ts';
import { type OpenBus, openBus } from './driver-table.ts';
import { gadgetWirings } from './gadget-wirings.ts';
import { JoinedInputs, JoinedOutputs } from './joined-lines.ts';
import { PersistedPlaces } from './persisted-places.ts';
import type { PartsContext } from './opened-bus.ts';
import { type PowerReading, readPower } from './power-lines.ts';
import { placesOf, profileWiring } from './profile-wiring.ts';

export interface Parts {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly times: KeyEntryTimes;
  readonly untrustedTime: UntrustedTimePolicy;
  /** Null: a slice is never too old. */
  readonly snapshotRefusedAfterMs: number | null;
  readonly hasRtc: boolean;
  power(): PowerReading;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

const refusal = (problems: readonly Problem[]): Error =>
  new Error(problems.map(({ path, message }) => `${path} ${message}`).join('\n'));

const namesOn = (bus: string, all: ReturnType<typeof partsOfBuses>): BusNames => {
  const of = (kind: keyof BusNames): string[] => all[kind].filter(part => part.bus === bus).map(({ name }) => name);
  return { outputs: of('outputs'), inputs: of('inputs'), keypads: of('keypads'), readers: of('readers') };
};

/**
 * Everything that a profile describes, at work. A part that is missing is a fault with its name and not the end: the
 * others serve, and it joins them when it comes. Throws when the profile contradicts itself.
 */
export const openParts = async (profile: Profile, context: PartsContext, open: OpenBus = openBus): Promise<Parts> => {
  const gadgets = gadgetWirings(profile);
  const times = parseKeyEntryTimes(profile.times, 'times');
  if (!gadgets.ok) throw refusal(gadgets.problems);
  if (!times.ok) throw refusal(times.problems);

  const all = partsOfBuses(profile.buses);
  const slots = new Map(
    Object.entries(profile.buses).map(([name, bus]) => {
      const hasAny = bus.driver === 'simulated' && profile.other_gadgets === 'simulated';
      return [
        name,
        new BusSlot(name, namesOn(name, all), hasAny, () => open(bus, { ...context, name, profile }), context),
      ];
    }),
  );
  await Promise.all([...slots.values()].map(slot => slot.start()));

  const simulatedBus = Object.entries(profile.buses).find(([, { driver }]) => driver === 'simulated');
  const others = profile.other_gadgets === 'simulated' ? (simulatedBus?.[0] ?? null) : null;
  const busOf = (parts: (typeof all)['outputs']) => new Map(parts.map(({ name, bus }) => [name, bus]));
  const boards = <T>(choose: (slot: BusSlot) => T | null) =>
    new Map([...slots].flatMap(([name, slot]) => (choose(slot) === null ? [] : [[name, choose(slot)!] as const])));
  const outputs = new JoinedOutputs(
    boards(({ outputs }) => outputs),
    busOf(all.outputs),
    others,
  );
  const inputs = new JoinedInputs(
    boards(({ inputs }) => inputs),
    busOf(all.inputs),
    others,
  );
  const wiring = profileWiring(profile, {
    keypads: new Map([...slots.values()].flatMap(({ keypads }) => [...keypads])),
    readers: new Map([...slots.values()].flatMap(({ readers }) => [...readers])),
    gadgets: gadgets.value,
    places: new PersistedPlaces(
      placesOf(profile),
      new StateFiles<'gadget_places'>(join(context.dataDir, 'state')),
      context.log,
    ),
    virtual: others === null ? null : ((await context.loadVirtualHardware?.()) ?? null),
    lines: { inputs: all.inputs.map(({ name }) => name), outputs: all.outputs.map(({ name }) => name) },
  });
  const refuseHours = profile.policies.slice_refuse_hours;
  return {
    wiring,
    outputs,
    inputs,
    times: times.value,
    untrustedTime: profile.policies.untrusted_time,
    snapshotRefusedAfterMs: refuseHours === null ? null : refuseHours * HOUR_MS,
    hasRtc: profile.real_time_clock,
    power: () => readPower(profile, inputs),
    close: async () => {
      await Promise.allSettled([...slots.values()].map(slot => slot.close()));
    },
  };
};
