import * as z from 'zod';
import { scenarioKeypadKeysSchema, scenarioNameSchema, scenarioCardUidSchema } from '../field-schemas.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { defineScenarioAction } from './define-actions-and-expectations.ts';

const credentialOf = (world: ScenarioWorld, who: string | undefined, what: 'pin' | 'card' | 'token'): string => {
  const found = who === undefined ? null : world.members.of(who)[what];
  if (found === null) throw new Error(`${who ?? 'the person'} has no ${what}`);
  return found;
};

const moveContact = (world: ScenarioWorld, door: string, level: 'active' | 'inactive'): void =>
  world.at(door).poweredFirmware.inputs.set(world.at(door).lineOf(door, 'contact'), level);

/** Actions of members at a door. `at` is a controller or one of its doors. */
export const scenarioDoorActions = {
  /** Types `keys`, or the PIN of member `who`. */
  type: defineScenarioAction(
    z
      .strictObject({
        keys: scenarioKeypadKeysSchema.optional(),
        who: scenarioNameSchema.optional(),
        at: scenarioNameSchema,
      })
      .refine(given => given.keys !== undefined || given.who !== undefined, {
        error: 'must have "who" or "keys"',
      }),
    given => `${given.who ?? 'A person'} types ${given.keys ?? 'the PIN'} at ${given.at}`,
    (world, given) =>
      world.at(given.at).poweredFirmware.keypad.press(given.keys ?? credentialOf(world, given.who, 'pin')),
  ),
  tap: defineScenarioAction(
    z
      .strictObject({
        card: scenarioCardUidSchema.optional(),
        who: scenarioNameSchema.optional(),
        at: scenarioNameSchema,
      })
      .refine(given => given.card !== undefined || given.who !== undefined, {
        error: 'must have "who" or "card"',
      }),
    ({ card, who = 'A person', at }) => `${who} taps ${card === undefined ? 'the card' : `card ${card}`} at ${at}`,
    (world, { card, who, at }) => world.at(at).poweredFirmware.reader.tap(card ?? credentialOf(world, who, 'card')),
  ),
  tap_phone: defineScenarioAction(
    z.strictObject({ who: scenarioNameSchema, at: scenarioNameSchema }),
    '{who} taps the phone at {at}',
    (world, { who, at }) => world.at(at).poweredFirmware.reader.tapPhone(credentialOf(world, who, 'token')),
  ),
  exit: defineScenarioAction(scenarioNameSchema, 'A person presses the exit button of {}', (world, door) =>
    world.at(door).poweredFirmware.inputs.press(world.at(door).lineOf(door, 'exit')),
  ),
  push: defineScenarioAction(scenarioNameSchema, '{} is pushed open', (world, door) => {
    if (!world.at(door).isUnlocked(door)) throw new Error(`${door} is locked`);
    moveContact(world, door, 'active');
  }),
  force: defineScenarioAction(scenarioNameSchema, '{} is forced open', (world, door) =>
    moveContact(world, door, 'active'),
  ),
  close: defineScenarioAction(scenarioNameSchema, '{} closes', (world, door) => moveContact(world, door, 'inactive')),
};
