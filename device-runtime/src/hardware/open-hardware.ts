import { HOUR_MS } from '@lintel/access-core/durations';
import { parseKeyEntryTimes } from '@lintel/access-core/key-entry-times';
import type { KeyEntryTimes } from '@lintel/access-core/key-entry-types';
import type { UntrustedTimePolicy } from '@lintel/access-core/permission/decision-types';
import { inferPowerOfRunningDevice, type PowerStatus } from '@lintel/access-core/power-status';
import type { Problem } from '@lintel/access-core/result';
import type {
  BusContext,
  DriverContext,
  OpenedBus,
  SimulatedBusSettings,
  SimulatedPartsOpener,
} from '@lintel/drivers/definition';
import {
  type BatteryGauge,
  type BusPartNames,
  CombinedInputs,
  CombinedOutputs,
  openBatteryGauge,
  openBluetooth,
  RetryingBus,
} from '@lintel/drivers/hardware';
import { type BusOpener, openBus } from '@lintel/drivers/drivers';
import type {
  CardReader,
  FeedbackOverrides,
  InputLines,
  Keypad,
  OutputLines,
  BluetoothRadioWiring,
  GadgetWiring,
  ReaderUnitWiring,
  Wiring,
  ReplaceableReader,
} from '@lintel/drivers/interfaces';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { collectBusParts } from '@lintel/hardware-profiles/collect-bus-parts';
import type { FeedbackPatterns } from '@lintel/hardware-profiles/reader-unit-and-feedback-schemas';
import { JsonFileStore } from '@lintel/service/data-folder/json-file-store';
import { join } from 'node:path';
import { type AssignableProfileGadget, PersistedGadgetAssignments } from './gadget-assignment.ts';
import { parseGadgetWirings } from './parse-gadget-wirings.ts';

/** Replaces hardware if a profile names the driver `simulated`. */
export interface SimulatedHardwareOpener extends Pick<SimulatedPartsOpener, 'openRadio'> {
  openBus(settings: SimulatedBusSettings, context: BusContext, profile: Profile): Promise<OpenedBus>;
  /** Wires a gadget that the profile does not name. */
  wireGadget(gadget: Parameters<Wiring['gadget']>[0], place: number, station: string): GadgetWiring;
}

export interface HardwareContext extends Omit<DriverContext, 'loadSimulatedParts'> {
  /** Loads the simulated hardware. Without it a simulated bus is a fault. */
  readonly loadVirtualHardware?: () => Promise<SimulatedHardwareOpener>;
}

const driverContext = ({ loadVirtualHardware, ...context }: HardwareContext, profile: Profile): DriverContext => {
  if (loadVirtualHardware === undefined) return context;
  const loadSimulatedParts = async (): Promise<SimulatedPartsOpener> => {
    const opener = await loadVirtualHardware();
    return {
      openBus: (bus, busContext) => opener.openBus(bus, busContext, profile),
      openRadio: radio => opener.openRadio(radio),
    };
  };
  return { ...context, loadSimulatedParts };
};

/** The slots of a profile that gadgets of the organization can be assigned to. */
export const listAssignableProfileGadgets = (profile: Profile): readonly AssignableProfileGadget[] => {
  const inWords = toApiGadgets(profile);
  return profile.gadgets.map(({ key, name }, index) => ({
    key,
    name,
    action_ids: new Set(inWords[index]?.actions.map(({ id }) => id)),
  }));
};

/** All denials give the same feedback, so that the door does not reveal the reason. */
const feedbackOf = ({ refused, ...others }: FeedbackPatterns): FeedbackOverrides =>
  refused === undefined ? others : { ...others, refused, denied: refused, dropped: refused };

interface WiredParts {
  readonly keypads: ReadonlyMap<string, Keypad>;
  readonly readers: ReadonlyMap<string, CardReader>;
  readonly gadgets: ReadonlyMap<string, GadgetWiring>;
  readonly places: PersistedGadgetAssignments;
  readonly lines: NonNullable<Wiring['lines']>;
  readonly bluetooth: BluetoothRadioWiring | null;
  /** Null in a program without simulated parts. */
  readonly virtual: SimulatedHardwareOpener | null;
}

/** The wiring of a product for the firmware. */
const createProfileWiring = (profile: Profile, parts: WiredParts): Wiring => {
  const stations = Object.entries(profile.stations).map(
    ([
      id,
      {
        keypad,
        reader,
        indicator: { green, red, buzzer },
      },
    ]): ReaderUnitWiring => ({
      id,
      keypad: parts.keypads.get(keypad ?? '') ?? null,
      reader: parts.readers.get(reader ?? '') ?? null,
      indicator: { green: green ?? null, red: red ?? null, buzzer: buzzer ?? null },
    }),
  );
  const firstStation = stations[0]?.id ?? '';
  return {
    stations,
    bluetooth: parts.bluetooth,
    tamper: profile.tamper ?? null,
    setup_button: profile.setup_button ?? null,
    lines: parts.lines,
    feedback: feedbackOf(profile.feedback),
    gadget: (gadget, place, own) => {
      const key = parts.places.place(own).get(gadget.id) ?? null;
      if (key !== null) return parts.gadgets.get(key) ?? null;
      return profile.other_gadgets === 'simulated'
        ? (parts.virtual?.wireGadget(gadget, place, firstStation) ?? null)
        : null;
    },
  };
};

/** Reads the power status from input lines and gauge. An input line takes precedence. */
export const readPowerStatus = (
  { power, capabilities }: Pick<Profile, 'power' | 'capabilities'>,
  inputs: Pick<InputLines, 'level'>,
  gauge: BatteryGauge,
): PowerStatus => {
  const isActive = (input: string): boolean | null => {
    const level = inputs.level(input);
    return level === 'unknown' ? null : level === 'active';
  };
  const { battery_present, battery_charging, battery_percent } = gauge();
  return inferPowerOfRunningDevice(capabilities, {
    mains_present: power.mains === undefined ? null : isActive(power.mains),
    battery_present: power.battery === undefined ? battery_present : isActive(power.battery),
    battery_charging: power.charging === undefined ? battery_charging : isActive(power.charging),
    battery_percent,
  });
};

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

  const shared = driverContext(context, profile);
  const all = collectBusParts(profile.buses);
  const slots = new Map(
    Object.entries(profile.buses).map(([name, bus]) => {
      const hasAny = bus.driver === 'simulated' && profile.other_gadgets === 'simulated';
      return [name, new RetryingBus(name, namesOn(name, all), hasAny, () => open(bus, { ...shared, name }), shared)];
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
  const bluetooth = await openBluetooth(profile.bluetooth, shared);
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
