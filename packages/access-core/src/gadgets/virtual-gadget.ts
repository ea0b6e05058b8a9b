import { type MonotonicTime, monotonic } from '../monotonic-time.ts';
import { type BlindState, nextBlindDeadline, createInitialBlindStep, stepBlind } from './blind.ts';
import type { DoorConfig } from '../door/door-config.ts';
import { createInitialDoorStep, stepDoor } from '../door/door-machine.ts';
import { type DoorState, nextDoorDeadline } from '../door/door-state.ts';
import { inferGadgetKind, isDoorAction, toBlindAction } from './infer-gadget-kind.ts';

/** A gadget without hardware. Its actions and states define how it behaves. */
export interface VirtualGadgetDefinition {
  readonly action_ids: readonly string[];
  readonly state_ids: readonly string[];
}

/** The running state machine of a door or blind. Null: the gadget has no timers. */
export type VirtualGadgetMachineState =
  | { readonly kind: 'door'; readonly state: DoorState }
  | { readonly kind: 'blind'; readonly state: BlindState }
  | null;

export type VirtualGadgetInput = { readonly type: 'action'; readonly action_id: string } | { readonly type: 'timer' };

export interface VirtualGadgetStep {
  readonly machine: VirtualGadgetMachineState;
  /** New states, by the ids of the definition. */
  readonly reports: readonly { readonly state_id: string; readonly at: MonotonicTime }[];
}

/** A strike time of 5 s, without a contact: no person opens a virtual door. */
const doorConfig: DoorConfig = {
  strike_ms: 5_000,
  relock_on: 'time',
  contact: false,
  exit_button: false,
  held_open_ms: null,
  pre_alarm_ms: 0,
  forced_alarm: false,
  forced_grace_ms: 0,
  interlock_group: null,
  egress_ignores_interlock: true,
};

const blindConfig = { up_output: 'up', down_output: 'down', travel_ms: 20_000, dead_ms: 500 } as const;

/** Ids that a definition may use for a state, the most specific first. */
const stateIds: Readonly<Record<string, readonly string[]>> = {
  locked: ['locked', 'closed'],
  unlocked: ['unlocked', 'open'],
  up: ['up', 'raised'],
  down: ['down', 'lowered'],
};

const findStateId = ({ state_ids }: VirtualGadgetDefinition, state: string): string | null =>
  (stateIds[state] ?? [state]).find(id => state_ids.includes(id)) ?? null;

const hasStates = (definition: VirtualGadgetDefinition, ...states: readonly string[]): boolean =>
  states.every(state => findStateId(definition, state) !== null);

/** A machine runs only if the definition has its resting states, so that no temporary state remains. */
const machineKindOf = (definition: VirtualGadgetDefinition): 'door' | 'blind' | null => {
  const { action_ids } = definition;
  const kind = inferGadgetKind(action_ids);
  if (kind === 'switch') return null;
  const restingStates = kind === 'door' ? ['locked', 'unlocked'] : ['up', 'down'];
  if (kind === 'blind' && action_ids.includes('stop')) restingStates.push('stopped');
  return hasStates(definition, ...restingStates) ? kind : null;
};

/** The state before the first action; null if the definition implies none. */
export const computeRestingStateId = (definition: VirtualGadgetDefinition): string | null => {
  const kind = inferGadgetKind(definition.action_ids);
  if (kind === 'door') return machineKindOf(definition) === null ? null : findStateId(definition, 'locked');
  return kind === 'switch' && definition.action_ids.includes('off') ? findStateId(definition, 'off') : null;
};

/** A reported state is no command: a door that was reported as unlocked locks again after `open`, and at `lock`. */
const startMachine = (
  definition: VirtualGadgetDefinition,
  state_id: string | null,
  input: VirtualGadgetInput,
  now: MonotonicTime,
): VirtualGadgetMachineState => {
  const kind = machineKindOf(definition);
  if (kind === 'blind') {
    // The dead time after a start protects a motor that may still turn.
    const { state } = createInitialBlindStep(blindConfig, monotonic(now - blindConfig.dead_ms));
    return { kind, state };
  }
  const isLocking = input.type === 'action' && input.action_id === 'lock';
  const isUnlocked = isLocking && state_id !== null && state_id === findStateId(definition, 'unlocked');
  return kind === null
    ? null
    : { kind, state: createInitialDoorStep(doorConfig, isUnlocked ? 'unlocked' : 'normal', now).state };
};

/** Continues a stored machine if the definition still has its kind. */
const currentMachine = (
  definition: VirtualGadgetDefinition,
  { machine, state_id }: { readonly machine: VirtualGadgetMachineState; readonly state_id: string | null },
  input: VirtualGadgetInput,
  now: MonotonicTime,
): VirtualGadgetMachineState =>
  machine !== null && machine.kind === machineKindOf(definition)
    ? machine
    : startMachine(definition, state_id, input, now);

/** An action of a gadget without a machine leads to the state with the same id. */
const stepSwitch = (
  { state_ids }: VirtualGadgetDefinition,
  input: VirtualGadgetInput,
  at: MonotonicTime,
): VirtualGadgetStep => {
  const isState = input.type === 'action' && state_ids.includes(input.action_id);
  return { machine: null, reports: isState ? [{ state_id: input.action_id, at }] : [] };
};

const stepDoorOrBlind = (
  machine: NonNullable<VirtualGadgetMachineState>,
  input: VirtualGadgetInput,
  now: MonotonicTime,
) => {
  if (machine.kind === 'door') {
    const action = input.type === 'action' && isDoorAction(input.action_id) ? input.action_id : null;
    const { state, effects } = stepDoor(
      doorConfig,
      machine.state,
      action === null ? { type: 'timer' } : { type: 'action', action },
      now,
    );
    return { machine: { kind: 'door', state } as const, effects };
  }
  const action = input.type === 'action' ? toBlindAction(input.action_id) : null;
  const { state, effects } = stepBlind(
    blindConfig,
    machine.state,
    action === null ? { type: 'timer' } : { type: 'action', action },
    now,
  );
  return { machine: { kind: 'blind', state } as const, effects };
};

/** `state_id` is the current state of the gadget, from which a new machine starts. */
export const stepVirtualGadget = (
  definition: VirtualGadgetDefinition,
  current: { readonly machine: VirtualGadgetMachineState; readonly state_id: string | null },
  input: VirtualGadgetInput,
  now: MonotonicTime,
): VirtualGadgetStep => {
  const before = currentMachine(definition, current, input, now);
  if (before === null) return stepSwitch(definition, input, now);
  const { machine, effects } = stepDoorOrBlind(before, input, now);
  const reports = effects.flatMap(effect => {
    const state_id = effect.type === 'report_state' ? findStateId(definition, effect.state_id) : null;
    return state_id === null ? [] : [{ state_id, at: 'at' in effect ? effect.at : now }];
  });
  return { machine, reports };
};

/** When the machine changes its state by itself. */
export const nextVirtualGadgetDeadline = (machine: VirtualGadgetMachineState): MonotonicTime | null => {
  if (machine === null) return null;
  return machine.kind === 'door' ? nextDoorDeadline(machine.state) : nextBlindDeadline(machine.state);
};
