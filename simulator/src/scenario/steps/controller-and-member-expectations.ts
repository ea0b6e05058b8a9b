import { loadPinDelivery } from '@lintel/cloud-bridge/devices/load-credential-delivery-status';
import * as z from 'zod';
import { scenarioNameSchema } from '../field-schemas.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { scenarioSeedKeyBuilders } from '../world-seed.ts';
import { scenarioDenialReasonSchema } from './event-expectations.ts';
import { defineAwaitedScenarioExpectation, defineScenarioExpectation } from './define-actions-and-expectations.ts';

const isOnline = async ({ bridge }: ScenarioWorld, deviceId: string): Promise<boolean> => {
  const { body } = await bridge.call('GET', `/devices/${deviceId}`);
  return (body['status'] as { readonly online: boolean }).online;
};

const onlineExpectation = (expected: 'online' | 'offline') =>
  defineAwaitedScenarioExpectation(
    scenarioNameSchema,
    `The bridge reports {} as ${expected}`,
    async ({ world }, at) => {
      const seen = (await isOnline(world, world.at(at).options.deviceId)) ? 'online' : 'offline';
      return seen === expected ? null : `it is ${seen}`;
    },
  );

const reachOf = async ({ bridge, members }: ScenarioWorld, who: string): Promise<readonly string[]> => {
  const { services } = bridge.bridge;
  const pin = await services.storage.reader
    .selectFrom('member_pins')
    .selectAll()
    .where('id', '=', members.of(who).pinId)
    .executeTakeFirst();
  if (pin === undefined) return [];
  const { doors } = await loadPinDelivery(services, pin, () => true);
  return doors.filter(({ status }) => status === 'served').map(door => door.name);
};

const faultCodes = (world: ScenarioWorld, at: string): readonly string[] =>
  world
    .at(at)
    .poweredFirmware.controller.faults()
    .map(({ code }) => code);

const faultPlan = z.strictObject({ at: scenarioNameSchema, code: scenarioNameSchema });

/** The state of controllers and members, at the bridge and at the controller. */
export const scenarioDeviceExpectations = {
  /** The response to the last API request. */
  answer: defineScenarioExpectation(
    z.strictObject({
      status: z.int(),
      type: scenarioNameSchema.optional(),
      reason: scenarioDenialReasonSchema.optional(),
    }),
    ({ status, type, reason }) => `The bridge responds ${[status, type, reason].filter(Boolean).join(' ')}`,
    ({ world }, expected) => {
      const response = world.members.lastResponse;
      if (response === null) return 'no request was sent';
      const { type = '', args } = response.body as Readonly<{ type?: string; args?: { readonly reason?: string } }>;
      const isMet =
        response.status === expected.status &&
        (expected.type === undefined || type === expected.type) &&
        (expected.reason === undefined || args?.reason === expected.reason);
      return isMet ? null : `${response.status} ${type} ${args?.reason ?? ''}`.trim();
    },
  ),
  waiting_events: defineScenarioExpectation(
    z.strictObject({ at: scenarioNameSchema, count: z.int().min(0) }),
    ({ at, count }) => `${at} holds ${count} ${count === 1 ? 'event' : 'events'} for the bridge`,
    ({ world }, { at, count }) => {
      const waiting = world.at(at).poweredFirmware.controller.waitingEventCount();
      return waiting === count ? null : `it holds ${waiting}`;
    },
  ),
  pin_reached: defineAwaitedScenarioExpectation(
    z.strictObject({ who: scenarioNameSchema, at: z.array(scenarioNameSchema) }),
    ({ who, at }) => `The PIN of ${who} works at ${at.join(', ') || 'no door'}`,
    async ({ world }, { who, at }) => {
      const reached = await reachOf(world, who);
      const isMet = reached.toSorted().join() === at.toSorted().join();
      return isMet ? null : `it works at ${reached.join(', ') || 'no door'}`;
    },
  ),
  online: onlineExpectation('online'),
  offline: onlineExpectation('offline'),
  member: defineScenarioExpectation(
    z.strictObject({ who: scenarioNameSchema, is_deleted: z.boolean() }),
    ({ who, is_deleted }) => `${who} ${is_deleted ? 'is deleted' : 'is not deleted'}`,
    async ({ world }, { who, is_deleted }) => {
      const { body } = await world.bridge.call('GET', `/members/${world.members.of(who).id}`);
      return body['is_deleted'] === is_deleted ? null : `is_deleted is ${String(body['is_deleted'])}`;
    },
  ),
  state: defineAwaitedScenarioExpectation(
    z.strictObject({ door: scenarioNameSchema, state: scenarioNameSchema }),
    'The bridge reports {door} as {state}',
    async ({ world }, { door, state }) => {
      const { body } = await world.bridge.call(
        'GET',
        `/gadgets/${world.bridge.ids[scenarioSeedKeyBuilders.door(door)]}`,
      );
      return body['state_id'] === state ? null : `it is ${String(body['state_id'])}`;
    },
  ),
  fault: defineScenarioExpectation(faultPlan, '{at} reports fault {code}', ({ world }, { at, code }) => {
    const codes = faultCodes(world, at);
    return codes.includes(code) ? null : `it reports ${codes.join(', ') || 'no fault'}`;
  }),
  no_fault: defineScenarioExpectation(faultPlan, '{at} does not report fault {code}', ({ world }, { at, code }) =>
    faultCodes(world, at).includes(code) ? 'it reports it' : null,
  ),
  time: defineScenarioExpectation(
    z.strictObject({ at: scenarioNameSchema, trusted: z.boolean() }),
    ({ at, trusted }) => `${at} ${trusted ? 'trusts' : 'does not trust'} its clock`,
    ({ world }, { at, trusted }) => {
      const { time } = world.at(at).poweredFirmware;
      return time.isTrusted() === trusted
        ? null
        : `its clock is ${time.isTrusted() ? 'trusted' : 'not trusted'} (source: ${time.source()})`;
    },
  ),
};
