import type { MonotonicTime } from '../monotonic-time.ts';
import type { DoorConfig } from './door-config.ts';
import type { DoorEffect } from './door-effects.ts';
import { type DoorInput, stepDoor } from './door-machine.ts';
import { type DoorState, isDoorUnlocked, nextDoorDeadline } from './door-state.ts';

/** Doors of one controller by gadget id. */
export type ControllerDoors = ReadonlyMap<string, { readonly config: DoorConfig; readonly state: DoorState }>;

interface DoorsStep {
  readonly doors: ControllerDoors;
  readonly effects: readonly { readonly door: string; readonly effect: DoorEffect }[];
}

/** Whether the interlock applies to this input. */
const waitsForPartners = (config: DoorConfig, input: DoorInput): boolean =>
  input.type === 'exit_button'
    ? config.exit_button && !config.egress_ignores_interlock
    : input.type === 'action' && input.action !== 'lock';

/**
 * Why this door blocks its interlock partners, or null. A contact that does not report counts as open, because an
 * airlock must not assume that a door is closed.
 */
const obstacle = (config: DoorConfig, state: DoorState): string | null => {
  if (state.contact === 'open') return 'is open';
  if (isDoorUnlocked(state)) return 'is unlocked';
  return config.contact && state.contact === 'unknown' ? 'may be open: its contact does not report' : null;
};

const findObstacle = (doors: ControllerDoors, door: string, group: string): string | null => {
  for (const [id, partner] of doors) {
    if (id === door || partner.config.interlock_group !== group) continue;
    const reason = obstacle(partner.config, partner.state);
    if (reason !== null) return `Door ${id} of the same interlock group ${reason}`;
  }
  return null;
};

/** The exit button is reported even if the door stays locked. */
const refusal = (input: DoorInput, message: string, at: MonotonicTime): readonly DoorEffect[] => [
  ...(input.type === 'exit_button' ? [{ type: 'signal', signal_id: 'exit_button', at } as const] : []),
  { type: 'refused', reason: 'interlock', message, at },
  { type: 'feedback', kind: 'refused' },
];

export const nextDoorsDeadline = (doors: ControllerDoors): MonotonicTime | null => {
  let earliest: MonotonicTime | null = null;
  for (const { state } of doors.values()) {
    const at = nextDoorDeadline(state);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
};

/**
 * The only entry point for doors that share a controller: advances all doors to `now` before one of them is opened, so
 * that a relock that is due does not block it. Ignores inputs for unknown doors.
 */
export const stepDoors = (before: ControllerDoors, door: string, input: DoorInput, now: MonotonicTime): DoorsStep => {
  const doors = new Map(before);
  const effects: DoorsStep['effects'][number][] = [];
  const advance = (id: string, to: DoorInput, at: MonotonicTime): void => {
    const one = doors.get(id);
    if (one === undefined) return;
    const step = stepDoor(one.config, one.state, to, at);
    doors.set(id, { config: one.config, state: step.state });
    for (const effect of step.effects) effects.push({ door: id, effect });
  };

  for (let at = nextDoorsDeadline(doors); at !== null && at <= now; at = nextDoorsDeadline(doors))
    for (const id of before.keys()) advance(id, { type: 'timer' }, at);

  const config = doors.get(door)?.config;
  const group = config?.interlock_group ?? null;
  const message =
    config !== undefined && group !== null && waitsForPartners(config, input) && findObstacle(doors, door, group);
  if (typeof message === 'string') for (const effect of refusal(input, message, now)) effects.push({ door, effect });
  else advance(door, input, now);
  return { doors, effects };
};
