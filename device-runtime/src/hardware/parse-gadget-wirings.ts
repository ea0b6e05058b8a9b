import { parseActionSteps, parseOutputInterlocks } from '@lintel/access-core/gadgets/action-steps';
import { parseBlindConfig } from '@lintel/access-core/gadgets/blind';
import { parseDoorConfig } from '@lintel/access-core/door/door-config';
import { ProblemList } from '@lintel/access-core/problem-list';
import type { Result } from '@lintel/access-core/result';
import {
  type ProfileGadgetOfKind,
  listOutputsInSteps,
  type ProfileGadget,
} from '@lintel/hardware-profiles/gadget-schemas';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { DoorWiring, GadgetWiring } from '@lintel/drivers/interfaces';

type SteppedGadget = ProfileGadgetOfKind<'gate' | 'light' | 'locker' | 'elevator'>;

/** Returns the value, or undefined after adding the problems to the list. */
const taken = <T>(result: Result<T>, problems: ProblemList): T | undefined => {
  if (result.ok) return result.value;
  problems.addAll(result.problems);
  return undefined;
};

const doorWiring = (
  door: ProfileGadgetOfKind<'door'>,
  { interlocks }: Pick<Profile, 'interlocks'>,
  path: string,
  problems: ProblemList,
): DoorWiring | undefined => {
  const group = interlocks.findIndex(({ gadgets }) => gadgets.includes(door.key));
  const { strike_ms, relock_on, held_open_ms, pre_alarm_ms, forced_alarm, forced_grace_ms } = door;
  const config = parseDoorConfig(
    {
      strike_ms,
      relock_on,
      contact: door.contact !== undefined,
      exit_button: door.exit_button !== undefined,
      held_open_ms: held_open_ms ?? null,
      pre_alarm_ms,
      forced_alarm,
      forced_grace_ms,
      interlock_group: group < 0 ? null : `interlock ${group}`,
      egress_ignores_interlock: interlocks[group]?.egress_ignores_interlock,
    },
    path,
  );
  const value = taken(config, problems);
  if (value === undefined) return undefined;
  return {
    kind: 'door',
    config: value,
    strike: door.strike,
    contact: door.contact ?? null,
    exit_button: door.exit_button ?? null,
    actions: Object.fromEntries(door.actions.map(action => [action, action])),
    station: door.station ?? null,
    ...(door.rssi_threshold === undefined ? {} : { rssi_threshold: door.rssi_threshold }),
  };
};

const steppedWiring = (gadget: SteppedGadget, path: string, problems: ProblemList): GadgetWiring => {
  const outputs = listOutputsInSteps(gadget.actions);
  const interlocks = taken(parseOutputInterlocks(gadget.interlocks, `${path}.interlocks`, outputs), problems);
  const actions = gadget.actions.map(({ id, steps, state }, index) => {
    const parsed = taken(parseActionSteps(steps, `${path}.actions.${index}.steps`, outputs), problems);
    return [id, { steps: parsed ?? [], state_id: state ?? null }] as const;
  });
  return {
    kind: 'switch',
    outputs: [...outputs],
    interlocks: interlocks ?? [],
    resting_state_id: gadget.resting_state ?? null,
    actions: Object.fromEntries(actions),
  };
};

const blindWiring = (
  blind: ProfileGadgetOfKind<'blind'>,
  path: string,
  problems: ProblemList,
): GadgetWiring | undefined => {
  const { up, down, travel_ms, dead_ms } = blind;
  const config = taken(parseBlindConfig({ up_output: up, down_output: down, travel_ms, dead_ms }, path), problems);
  return config === undefined ? undefined : { kind: 'blind', config };
};

const wiringOf = (gadget: ProfileGadget, profile: Profile, path: string, problems: ProblemList) => {
  if (gadget.kind === 'door') return doorWiring(gadget, profile, path, problems);
  return gadget.kind === 'blind' ? blindWiring(gadget, path, problems) : steppedWiring(gadget, path, problems);
};

/** The wiring of each gadget of a profile, by gadget key. */
export const parseGadgetWirings = (profile: Profile): Result<ReadonlyMap<string, GadgetWiring>> => {
  const problems = new ProblemList();
  const wirings = new Map<string, GadgetWiring>();
  for (const [index, gadget] of profile.gadgets.entries()) {
    const wiring = wiringOf(gadget, profile, `gadgets.${index}`, problems);
    if (wiring !== undefined) wirings.set(gadget.key, wiring);
  }
  return problems.resultOf(wirings);
};
