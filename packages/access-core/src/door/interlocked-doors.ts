import type { Monotonic } from '../monotonic.ts';
import type { DoorConfig } from './door-config.ts';
import type { DoorEffect } from './door-effects.ts';
import { type DoorInput, doorMachine } from './door-machine.ts';
import { type DoorState, isUnlocked, nextDoorDeadline } from './door-state.ts';

/** Doors of one controller by the id of their gadget. */
export type Doors = ReadonlyMap<string, { readonly config: DoorConfig; readonly state: DoorState }>;

interface DoorsStep {
  readonly doors: Doors;
  readonly effects: readonly { readonly door: string; readonly effect: DoorEffect }[];
}

/** Whether the partners have a say in it. */
const waitsForPartners = (config: DoorConfig, input: DoorInput): boolean =>
  input.type === 'exit_button'
    ? config.exit_button && !config.egress_ignores_interlock
    : input.type === 'action' && input.action !== 'lock';

/**
 * What keeps the partners of this door shut, in words, or null. A contact that is fitted and silent counts as open:
 * an airlock that cannot see a door must not take it for closed.
 */
const obstacle = (config: DoorConfig, state: DoorState): string | null => {
  if (state.contact === 'open') return 'is open';
  if (isUnlocked(state)) return 'is unlocked';
  return config.contact && state.contact === 'unknown' ? 'may be open, its contact says nothing' : null;
};

const findObstacle = (doors: Doors, door: string, group: string): string | null => {
  for (const [id, partner] of doors) {
    if (id === door || partner.config.interlock_group !== group) continue;
    const reason = obstacle(partner.config, partner.state);
    if (reason !== null) return `door ${id} of the same interlock group ${reason}`;
  }
  return null;
};

/** Who presses to get out is heard even when the door stays shut. */
const refusal = (input: DoorInput, message: string, at: Monotonic): readonly DoorEffect[] => [
  ...(input.type === 'exit_button' ? [{ type: 'signal', signal_id: 'exit_button', at } as const] : []),
  { type: 'refused', reason: 'interlock', message, at },
  { type: 'feedback', kind: 'refused' },
];

export const nextDoorsDeadline = (doors: Doors): Monotonic | null => {
  let earliest: Monotonic | null = null;
  for (const { state } of doors.values()) {
    const at = nextDoorDeadline(state);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
};

/**
 * The only way in for doors that share a controller: every door's time is brought up to `now` before one of them is
 * asked to open, so that a relock that is due does not stand in the way. An input for a door that is not there is lost.
 */
export const doorsMachine = (before: Doors, door: string, input: DoorInput, now: Monotonic): DoorsStep => {
  const doors = new Map(before);
  const effects: DoorsStep['effects'][number][] = [];
  const advance = (id: string, to: DoorInput, at: Monotonic): void => {
    const one = doors.get(id);
    if (one === undefined) return;
    const step = doorMachine(one.config, one.state, to, at);
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
