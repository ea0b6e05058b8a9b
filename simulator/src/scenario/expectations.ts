import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import { setTimeout as delay } from 'node:timers/promises';
import { deviceExpectations } from './device-expectations.ts';
import type { Expecting, Expectings, Moment } from './expecting.ts';
import { eventInWords, matches, planInWords } from './event-matching.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { keyOf } from './seed-of-world.ts';
import type { EventPlan, Expectation } from './step-schema.ts';

const newest = ({ world, since }: Moment, door: string): readonly DeviceEvent[] => {
  const controller = world.at(door);
  const id = world.bridge.ids[keyOf.door(door)];
  return controller.recorded
    .slice(since.get(controller.place.name) ?? 0)
    .filter(({ kind, gadget_id }) => (kind === 'use' || kind === 'deny') && (gadget_id == null || gadget_id === id));
};

const verdict = ({ world }: Moment, door: string, events: readonly DeviceEvent[]): string => {
  const lock = world.at(door).isUnlocked(door) ? 'unlocked' : 'locked';
  const last = events.at(-1);
  if (last === undefined) return `${door} is ${lock}, and nothing was decided`;
  return `${door} is ${lock}: ${last.kind === 'use' ? 'granted' : `denied, ${last.reason ?? 'for no reason'}`}`;
};

const atTheDoor: Expectings<'opens' | 'stays_locked' | 'unlocked' | 'locked'> = {
  opens: {
    words: door => `${door} opens`,
    look: (moment, door) => {
      const events = newest(moment, door);
      const isSo = moment.world.at(door).isUnlocked(door) && events.at(-1)?.kind === 'use';
      return isSo ? null : verdict(moment, door, events);
    },
  },
  stays_locked: {
    words: ({ door, reason }) => `${door} stays locked${reason === undefined ? '' : `, ${reason}`}`,
    look: (moment, { door, reason }) => {
      const events = newest(moment, door);
      const isDenied = reason === undefined || events.at(-1)?.reason === reason;
      const isSo = !moment.world.at(door).isUnlocked(door) && isDenied;
      return isSo ? null : verdict(moment, door, events);
    },
  },
  unlocked: {
    words: door => `${door} is unlocked`,
    look: ({ world }, door) => (world.at(door).isUnlocked(door) ? null : `${door} is locked`),
  },
  locked: {
    words: door => `${door} is locked`,
    look: ({ world }, door) => (world.at(door).isUnlocked(door) ? `${door} is unlocked` : null),
  },
};

const countOf = (world: ScenarioWorld, events: readonly EventAnswer[], plan: EventPlan): string | null => {
  const found = events.filter(event => matches(world, event, plan));
  if (found.length === plan.count) return null;
  const kin = events.filter(
    ({ verb, object }) => verb === plan.verb && (plan.object === undefined || object.type === plan.object),
  );
  const listed = kin.length === 0 ? 'none of this kind' : kin.map(event => eventInWords(world, event)).join('; ');
  return `${found.length} of them; there are: ${listed}`;
};

const times = (count: number): string => (count === 1 ? 'exactly once' : count === 0 ? 'never' : `${count} times`);

const told: Expectings<'event' | 'webhook'> = {
  event: {
    isAwaited: true,
    words: plan => `The bridge has the event ${times(plan.count)}: ${planInWords(plan)}`,
    look: async ({ world }, plan) =>
      countOf(world, await world.bridge.list<EventAnswer>('/events?sort=created_at:asc&limit=100'), plan),
  },
  webhook: {
    isAwaited: true,
    words: plan => `The booking system has heard ${times(plan.count)}: ${planInWords(plan)}`,
    look: ({ world }, plan) => countOf(world, world.webhooks, plan),
  },
};

const expectings: Expectings<keyof Expectation> = { ...atTheDoor, ...told, ...deviceExpectations };

const expectingOf = (expectation: Expectation): { readonly expecting: Expecting<unknown>; readonly given: unknown } => {
  const [name, given] = Object.entries(expectation).find(([, value]) => value !== undefined)!;
  return { expecting: expectings[name as keyof Expectation] as Expecting<unknown>, given };
};

export const wordsOfExpectation = (expectation: Expectation): string => {
  const { expecting, given } = expectingOf(expectation);
  return expecting.words(given);
};

const PATIENCE_MS = 5000;
const POLL_MS = 10;

/** Null when it is so, otherwise what is seen instead. */
export const examine = async (moment: Moment, expectation: Expectation): Promise<string | null> => {
  const { expecting, given } = expectingOf(expectation);
  const latest = performance.now() + (expecting.isAwaited === true ? PATIENCE_MS : 0);
  for (;;) {
    const seen = await expecting.look(moment, given);
    if (seen === null || performance.now() >= latest) return seen;
    await delay(POLL_MS);
  }
};
