import { pinReach } from '@lintel/cloud-bridge/devices/pin-reach';
import * as z from 'zod';
import { name } from '../named-texts.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { keyOf } from '../seed-of-world.ts';
import { reason } from './event-expectations.ts';
import { awaitedExpectation, expectation } from './step-kind.ts';

const isOnline = async ({ bridge }: ScenarioWorld, deviceId: string): Promise<boolean> => {
  const { body } = await bridge.call('GET', `/devices/${deviceId}`);
  return (body['status'] as { readonly online: boolean }).online;
};

const onlineExpectation = (expected: 'online' | 'offline') =>
  awaitedExpectation(name, `The bridge says that {} is ${expected}`, async ({ world }, at) => {
    const seen = (await isOnline(world, world.at(at).place.deviceId)) ? 'online' : 'offline';
    return seen === expected ? null : `it is ${seen}`;
  });

const reachOf = async ({ bridge, people }: ScenarioWorld, who: string): Promise<readonly string[]> => {
  const { services } = bridge.bridge;
  const pin = await services.storage.reader
    .selectFrom('member_pins')
    .selectAll()
    .where('id', '=', people.of(who).pinId)
    .executeTakeFirst();
  if (pin === undefined) return [];
  const { doors } = await pinReach(services, pin, () => true);
  return doors.filter(({ status }) => status === 'served').map(one => one.name);
};

const faultCodes = (world: ScenarioWorld, at: string): readonly string[] =>
  world
    .at(at)
    .working.controller.faults()
    .map(({ code }) => code);

const faultPlan = z.strictObject({ at: name, code: name });

/** What the bridge knows of its controllers and members, and what they know of themselves. */
export const deviceExpectations = {
  /** Of the last thing that was asked of the bridge. */
  answer: expectation(
    z.strictObject({ status: z.int(), type: name.optional(), reason: reason.optional() }),
    ({ status, type, reason }) => `The bridge answers ${[status, type, reason].filter(Boolean).join(' ')}`,
    ({ world }, wanted) => {
      const answer = world.people.lastAnswer;
      if (answer === null) return 'nothing was asked';
      const { type = '', args } = answer.body as Readonly<{ type?: string; args?: { readonly reason?: string } }>;
      const isMet =
        answer.status === wanted.status &&
        (wanted.type === undefined || type === wanted.type) &&
        (wanted.reason === undefined || args?.reason === wanted.reason);
      return isMet ? null : `${answer.status} ${type} ${args?.reason ?? ''}`.trim();
    },
  ),
  waiting_events: expectation(
    z.strictObject({ at: name, count: z.int().min(0) }),
    ({ at, count }) => `${at} keeps ${count} ${count === 1 ? 'event' : 'events'} for the bridge`,
    ({ world }, { at, count }) => {
      const waiting = world.at(at).working.controller.waitingEvents();
      return waiting === count ? null : `it keeps ${waiting}`;
    },
  ),
  pin_reached: awaitedExpectation(
    z.strictObject({ who: name, at: z.array(name) }),
    ({ who, at }) => `The PIN of ${who} is at ${at.join(', ') || 'no door'}`,
    async ({ world }, { who, at }) => {
      const reached = await reachOf(world, who);
      const isMet = reached.toSorted().join() === at.toSorted().join();
      return isMet ? null : `it is at ${reached.join(', ') || 'no door'}`;
    },
  ),
  online: onlineExpectation('online'),
  offline: onlineExpectation('offline'),
  member: expectation(
    z.strictObject({ who: name, is_deleted: z.boolean() }),
    ({ who, is_deleted }) => `${who} ${is_deleted ? 'is deleted' : 'is not deleted'}`,
    async ({ world }, { who, is_deleted }) => {
      const { body } = await world.bridge.call('GET', `/members/${world.people.of(who).id}`);
      return body['is_deleted'] === is_deleted ? null : `is_deleted is ${String(body['is_deleted'])}`;
    },
  ),
  state: awaitedExpectation(
    z.strictObject({ door: name, state: name }),
    'The bridge says that {door} is {state}',
    async ({ world }, { door, state }) => {
      const { body } = await world.bridge.call('GET', `/gadgets/${world.bridge.ids[keyOf.door(door)]}`);
      return body['state_id'] === state ? null : `it is ${String(body['state_id'])}`;
    },
  ),
  fault: expectation(faultPlan, '{at} tells of the fault {code}', ({ world }, { at, code }) => {
    const codes = faultCodes(world, at);
    return codes.includes(code) ? null : `it tells of ${codes.join(', ') || 'none'}`;
  }),
  no_fault: expectation(faultPlan, '{at} does not tell of the fault {code}', ({ world }, { at, code }) =>
    faultCodes(world, at).includes(code) ? 'it does' : null,
  ),
  time: expectation(
    z.strictObject({ at: name, trusted: z.boolean() }),
    ({ at, trusted }) => `${at} ${trusted ? 'trusts' : 'does not trust'} its clock`,
    ({ world }, { at, trusted }) => {
      const { time } = world.at(at).working;
      return time.trusted() === trusted ? null : `it ${time.trusted() ? 'does' : 'does not'}, by its ${time.source()}`;
    },
  ),
};
