import { pinReach } from '@lintel/cloud-bridge/devices/pin-reach';
import type { Expectings } from './expecting.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { keyOf } from './seed-of-world.ts';

const statusOf = async ({ bridge }: ScenarioWorld, deviceId: string): Promise<boolean> => {
  const { body } = await bridge.call('GET', `/devices/${deviceId}`);
  return (body['status'] as { readonly online: boolean }).online;
};

const reachOf = async ({ bridge, people }: ScenarioWorld, who: string): Promise<readonly string[]> => {
  const { services } = bridge.bridge;
  const { pinId } = people.of(who);
  const pin = await services.storage.reader
    .selectFrom('member_pins')
    .selectAll()
    .where('id', '=', pinId)
    .executeTakeFirst();
  if (pin === undefined) return [];
  const { doors } = await pinReach(services, pin, () => true);
  return doors.filter(({ status }) => status === 'served').map(({ name }) => name);
};

const listed = (names: readonly string[]): string => (names.length === 0 ? 'no door' : names.join(', '));

/** What the bridge knows of its controllers and members, and what they know of themselves. */
export const deviceExpectations: Expectings<
  | 'answer'
  | 'waiting_events'
  | 'pin_reached'
  | 'online'
  | 'offline'
  | 'member'
  | 'state'
  | 'fault'
  | 'no_fault'
  | 'time'
> = {
  answer: {
    words: ({ status, type, reason }) => `The bridge answers ${[status, type, reason].filter(Boolean).join(' ')}`,
    look: ({ world }, { status, type, reason }) => {
      const answer = world.people.lastAnswer;
      if (answer === null) return 'nothing was asked';
      const { type: seen = '', args } = answer.body as Readonly<{ type?: string; args?: { readonly reason?: string } }>;
      const isSo =
        answer.status === status &&
        (type === undefined || seen === type) &&
        (reason === undefined || args?.reason === reason);
      return isSo ? null : `${answer.status} ${seen} ${args?.reason ?? ''}`.trim();
    },
  },
  waiting_events: {
    words: ({ at, count }) => `${at} keeps ${count} ${count === 1 ? 'event' : 'events'} for the bridge`,
    look: ({ world }, { at, count }) => {
      const waiting = world.at(at).working.controller.waitingEvents();
      return waiting === count ? null : `it keeps ${waiting}`;
    },
  },
  pin_reached: {
    isAwaited: true,
    words: ({ who, at }) => `The PIN of ${who} is at ${listed(at)}`,
    look: async ({ world }, { who, at }) => {
      const reached = await reachOf(world, who);
      return [...reached].sort().join() === [...at].sort().join() ? null : `it is at ${listed(reached)}`;
    },
  },
  online: {
    isAwaited: true,
    words: name => `The bridge says that ${name} is online`,
    look: async ({ world }, name) => ((await statusOf(world, world.at(name).place.deviceId)) ? null : 'it is offline'),
  },
  offline: {
    isAwaited: true,
    words: name => `The bridge says that ${name} is offline`,
    look: async ({ world }, name) => ((await statusOf(world, world.at(name).place.deviceId)) ? 'it is online' : null),
  },
  member: {
    words: ({ who, is_deleted }) => `${who} ${is_deleted ? 'is deleted' : 'is not deleted'}`,
    look: async ({ world }, { who, is_deleted }) => {
      const { body } = await world.bridge.call('GET', `/members/${world.people.of(who).id}`);
      return body['is_deleted'] === is_deleted ? null : `is_deleted is ${String(body['is_deleted'])}`;
    },
  },
  state: {
    isAwaited: true,
    words: ({ door, state }) => `The bridge says that ${door} is ${state}`,
    look: async ({ world }, { door, state }) => {
      const { body } = await world.bridge.call('GET', `/gadgets/${world.bridge.ids[keyOf.door(door)]}`);
      return body['state_id'] === state ? null : `it is ${String(body['state_id'])}`;
    },
  },
  fault: {
    words: ({ at, code }) => `${at} tells of the fault ${code}`,
    look: ({ world }, { at, code }) => {
      const codes = world
        .at(at)
        .working.controller.faults()
        .map(fault => fault.code);
      return codes.includes(code) ? null : `it tells of ${codes.length === 0 ? 'none' : codes.join(', ')}`;
    },
  },
  no_fault: {
    words: ({ at, code }) => `${at} does not tell of the fault ${code}`,
    look: ({ world }, { at, code }) =>
      world
        .at(at)
        .working.controller.faults()
        .some(fault => fault.code === code)
        ? 'it does'
        : null,
  },
  time: {
    words: ({ at, trusted }) => `${at} ${trusted ? 'trusts' : 'does not trust'} its clock`,
    look: ({ world }, { at, trusted }) => {
      const { time } = world.at(at).working;
      return time.trusted() === trusted ? null : `it ${time.trusted() ? 'does' : 'does not'}, by its ${time.source()}`;
    },
  },
};
