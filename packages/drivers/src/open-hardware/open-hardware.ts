import { join } from 'node:path';
import type { KeyEntryTimes } from '@lintel/access-core/key-entry-types';
import { HOUR_MS } from '@lintel/access-core/durations';
import { parseKeyEntryTimes } from '@lintel/access-core/key-entry-times';
import type { UntrustedTimePolicy } from '@lintel/access-core/permission/decision-types';
import type { Problem } from '@lintel/access-core/result';
import { collectBusParts } from '@lintel/hardware-profiles/collect-bus-parts';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { JsonFileStore } from '@lintel/service/data-folder/json-file-store';
import type { Wiring } from '../interfaces/wiring.ts';
import type { InputLines } from '../interfaces/input-lines.ts';
import type { OutputLines } from '../interfaces/output-lines.ts';
import type { ReplaceableReader } from '../interfaces/replaceable-reader.ts';
import { RetryingBus, type BusPartNames } from './retrying-bus.ts';
import { type BusOpener, openBus } from './driver-table.ts';
import { parseGadgetWirings } from './parse-gadget-wirings.ts';
import { CombinedInputs, CombinedOutputs } from './combined-lines.ts';
import { PersistedGadgetAssignments } from './persisted-gadget-assignments.ts';
import type { HardwareContext } from './hardware-driver-context.ts';
import type { PowerStatus } from '@lintel/access-core/power-status';
import { openBluetooth } from './open-bluetooth.ts';
import { openBatteryGauge } from '../power/open-battery-gauge.ts';
import { readPowerStatus } from './read-power-status.ts';
import { listAssignableProfileGadgets, createProfileWiring } from './profile-wiring.ts';

export interface OpenedHardware {
  readonly wiring: Wiring;
  readonly outputs: OutputLines;
  readonly inputs: InputLines;
  readonly times: KeyEntryTimes;
  readonly untrustedTime: UntrustedTimePolicy;
  /** Null: snapshots never expire. */
  readonly snapshotRefusedAfterMs: number | null;
  readonly hasRtc: boolean;
  power(): PowerStatus;
  /** Readers whose key can be replaced. A bus that is not open has none. */
  replaceableReaders(): readonly ReplaceableReader[];
  close(): Promise<void>;
}

const refusal = (problems: readonly Problem[]): Error =>
  new Error(problems.map(({ path, message }) => `${path} ${message}`).join('\n'));

const namesOn = (bus: string, all: ReturnType<typeof collectBusParts>): BusPartNames => {
  const of = (kind: keyof BusPartNames): string[] => all[kind].filter(part => part.bus === bus).map(({ name }) => name);
  return { outputs: of('outputs'), inputs: of('inputs'), keypads: of('keypads'), readers: of('readers') };
};

/**
 * Opens all parts that a profile describes. A missing part becomes a fault and is attached when it appears; the others
 * work without it. Throws if the profile is inconsistent.
 */
export const openHardware = async (
  profile: Profile,
  context: HardwareContext,
  open: BusOpener = openBus,
): Promise<OpenedHardware> => {
  const gadgets = parseGadgetWirings(profile);
  const times = parseKeyEntryTimes(profile.times, 'times');
  if (!gadgets.ok) throw refusal(gadgets.problems);
  if (!times.ok) throw refusal(times.problems);

  const all = collectBusParts(profile.buses);
  const slots = new Map(
    Object.entries(profile.buses).map(([name, bus]) => {
      const hasAny = bus.driver === 'simulated' && profile.other_gadgets === 'simulated';
      return [
        name,
        new RetryingBus(name, namesOn(name, all), hasAny, () => open(bus, { ...context, name, profile }), context),
      ];
    }),
  );
  await Promise.all([...slots.values()].map(slot => slot.start()));

  const simulatedBus = Object.entries(profile.buses).find(([, { driver }]) => driver === 'simulated');
  const others = profile.other_gadgets === 'simulated' ? (simulatedBus?.[0] ?? null) : null;
  const busOf = (parts: (typeof all)['outputs']) => new Map(parts.map(({ name, bus }) => [name, bus]));
  const boards = <T>(choose: (slot: RetryingBus) => T | null) =>
    new Map([...slots].flatMap(([name, slot]) => (choose(slot) === null ? [] : [[name, choose(slot)!] as const])));
  const outputs = new CombinedOutputs(
    boards(({ outputs }) => outputs),
    busOf(all.outputs),
    others,
  );
  const inputs = new CombinedInputs(
    boards(({ inputs }) => inputs),
    busOf(all.inputs),
    others,
  );
  const bluetooth = await openBluetooth(profile, context);
  const wiring = createProfileWiring(profile, {
    bluetooth,
    keypads: new Map([...slots.values()].flatMap(({ keypads }) => [...keypads])),
    readers: new Map([...slots.values()].flatMap(({ readers }) => [...readers])),
    gadgets: gadgets.value,
    places: new PersistedGadgetAssignments(
      listAssignableProfileGadgets(profile),
      new JsonFileStore<'gadget_places'>(join(context.dataDir, 'state'), {
        onDamaged: (_key, problem) => context.log('error', problem),
      }),
      context.log,
    ),
    virtual: others === null ? null : ((await context.loadVirtualHardware?.()) ?? null),
    lines: { inputs: all.inputs.map(({ name }) => name), outputs: all.outputs.map(({ name }) => name) },
  });
  const gauge = openBatteryGauge(profile.power.gauge, context);
  const refuseHours = profile.policies.slice_refuse_hours;
  return {
    wiring,
    outputs,
    inputs,
    times: times.value,
    untrustedTime: profile.policies.untrusted_time,
    snapshotRefusedAfterMs: refuseHours === null ? null : refuseHours * HOUR_MS,
    hasRtc: profile.real_time_clock,
    replaceableReaders: () => [...slots.values()].flatMap(slot => slot.replaceableReaders()),
    power: () => readPowerStatus(profile, inputs, gauge),
    close: async () => {
      await Promise.allSettled([bluetooth?.close(), ...slots.values().map(slot => slot.close())]);
    },
  };
};
