import * as z from 'zod';
import { keys, name, uid } from '../named-texts.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { act } from './step-kind.ts';

const credentialOf = (world: ScenarioWorld, who: string | undefined, what: 'pin' | 'card' | 'token'): string => {
  const found = who === undefined ? null : world.people.of(who)[what];
  if (found === null) throw new Error(`${who ?? 'nobody'} has no ${what}`);
  return found;
};

const moveContact = (world: ScenarioWorld, door: string, level: 'active' | 'inactive'): void =>
  world.at(door).working.inputs.set(world.at(door).lineOf(door, 'contact'), level);

/** What people do at a door. `at` is a controller, or one of its doors. */
export const doorActs = {
  /** The keys as they are, or the PIN of a member. */
  type: act(
    z
      .strictObject({ keys: keys.optional(), who: name.optional(), at: name })
      .refine(given => given.keys !== undefined || given.who !== undefined, {
        error: 'must say who types, or which keys',
      }),
    given => `${given.who ?? 'Somebody'} types ${given.keys ?? 'the PIN'} at ${given.at}`,
    (world, given) => world.at(given.at).working.keypad.press(given.keys ?? credentialOf(world, given.who, 'pin')),
  ),
  tap: act(
    z
      .strictObject({ card: uid.optional(), who: name.optional(), at: name })
      .refine(given => given.card !== undefined || given.who !== undefined, {
        error: 'must say who taps, or which card',
      }),
    ({ card, who = 'Somebody', at }) => `${who} taps ${card === undefined ? 'the card' : `card ${card}`} at ${at}`,
    (world, { card, who, at }) => world.at(at).working.reader.tap(card ?? credentialOf(world, who, 'card')),
  ),
  tap_phone: act(z.strictObject({ who: name, at: name }), '{who} taps the phone at {at}', (world, { who, at }) =>
    world.at(at).working.reader.tapPhone(credentialOf(world, who, 'token')),
  ),
  exit: act(name, 'Somebody inside presses the exit button of {}', (world, door) =>
    world.at(door).working.inputs.press(world.at(door).lineOf(door, 'exit')),
  ),
  push: act(name, '{} is pushed open', (world, door) => {
    if (!world.at(door).isUnlocked(door)) throw new Error(`${door} is locked`);
    moveContact(world, door, 'active');
  }),
  force: act(name, '{} is forced open', (world, door) => moveContact(world, door, 'active')),
  close: act(name, '{} falls shut', (world, door) => moveContact(world, door, 'inactive')),
};
