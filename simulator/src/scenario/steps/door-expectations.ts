import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import * as z from 'zod';
import { name } from '../named-texts.ts';
import { keyOf } from '../seed-of-world.ts';
import { reason } from './event-expectations.ts';
import { expectation, type Moment } from './step-kind.ts';

const isUnlocked = ({ world }: Moment, door: string): boolean => world.at(door).isUnlocked(door);

/** The last decision at this door since the last act. */
const decisionAt = ({ world, since }: Moment, door: string): DeviceEvent | undefined => {
  const controller = world.at(door);
  const id = world.bridge.ids[keyOf.door(door)];
  return controller.recorded
    .slice(since.get(controller.place.name) ?? 0)
    .findLast(({ kind, gadget_id }) => (kind === 'use' || kind === 'deny') && (gadget_id == null || gadget_id === id));
};

const inWords = (moment: Moment, door: string, decision: DeviceEvent | undefined): string => {
  const lock = isUnlocked(moment, door) ? 'unlocked' : 'locked';
  if (decision === undefined) return `${door} is ${lock}, and nothing was decided`;
  return `${door} is ${lock}: ${decision.kind === 'use' ? 'granted' : `denied, ${decision.reason ?? 'for no reason'}`}`;
};

export const doorExpectations = {
  /** It unlocks, and the controller says for whom. */
  opens: expectation(name, '{} opens', (moment, door) => {
    const decision = decisionAt(moment, door);
    return isUnlocked(moment, door) && decision?.kind === 'use' ? null : inWords(moment, door, decision);
  }),
  stays_locked: expectation(
    z.strictObject({ door: name, reason: reason.optional() }),
    given => `${given.door} stays locked${given.reason === undefined ? '' : `, ${given.reason}`}`,
    (moment, given) => {
      const decision = decisionAt(moment, given.door);
      const isDenied = given.reason === undefined || decision?.reason === given.reason;
      return !isUnlocked(moment, given.door) && isDenied ? null : inWords(moment, given.door, decision);
    },
  ),
  unlocked: expectation(name, '{} is unlocked', (moment, door) =>
    isUnlocked(moment, door) ? null : `${door} is locked`,
  ),
  locked: expectation(name, '{} is locked', (moment, door) =>
    isUnlocked(moment, door) ? `${door} is unlocked` : null,
  ),
};
