import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import * as z from 'zod';
import { scenarioNameSchema } from '../field-schemas.ts';
import { scenarioSeedKeyBuilders } from '../world-seed.ts';
import { scenarioDenialReasonSchema } from './event-expectations.ts';
import { defineScenarioExpectation, type ScenarioExpectationContext } from './define-actions-and-expectations.ts';

const isUnlocked = ({ world }: ScenarioExpectationContext, door: string): boolean => world.at(door).isUnlocked(door);

/** The newest decision at this door since the last action. */
const decisionAt = ({ world, since }: ScenarioExpectationContext, door: string): DeviceEvent | undefined => {
  const controller = world.at(door);
  const id = world.bridge.ids[scenarioSeedKeyBuilders.door(door)];
  return controller.recorded
    .slice(since.get(controller.options.name) ?? 0)
    .findLast(({ kind, gadget_id }) => (kind === 'use' || kind === 'deny') && (gadget_id == null || gadget_id === id));
};

const describeDoor = (context: ScenarioExpectationContext, door: string, decision: DeviceEvent | undefined): string => {
  const lock = isUnlocked(context, door) ? 'unlocked' : 'locked';
  if (decision === undefined) return `${door} is ${lock}, without a decision`;
  return `${door} is ${lock}: ${decision.kind === 'use' ? 'granted' : `denied, ${decision.reason ?? 'no reason given'}`}`;
};

export const scenarioDoorExpectations = {
  /** The door is unlocked and the controller recorded the grant. */
  opens: defineScenarioExpectation(scenarioNameSchema, '{} opens', (context, door) => {
    const decision = decisionAt(context, door);
    return isUnlocked(context, door) && decision?.kind === 'use' ? null : describeDoor(context, door, decision);
  }),
  stays_locked: defineScenarioExpectation(
    z.strictObject({ door: scenarioNameSchema, reason: scenarioDenialReasonSchema.optional() }),
    given => `${given.door} stays locked${given.reason === undefined ? '' : `, ${given.reason}`}`,
    (context, given) => {
      const decision = decisionAt(context, given.door);
      const isDenied = given.reason === undefined || decision?.reason === given.reason;
      return !isUnlocked(context, given.door) && isDenied ? null : describeDoor(context, given.door, decision);
    },
  ),
  unlocked: defineScenarioExpectation(scenarioNameSchema, '{} is unlocked', (context, door) =>
    isUnlocked(context, door) ? null : `${door} is locked`,
  ),
  locked: defineScenarioExpectation(scenarioNameSchema, '{} is locked', (context, door) =>
    isUnlocked(context, door) ? `${door} is unlocked` : null,
  ),
};
