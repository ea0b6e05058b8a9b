import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import { deskActs } from './desk-acts.ts';
import type { Doing, Doings } from './doing.ts';
import { durationOf } from './scenario-time.ts';
import type { ScenarioController } from './scenario-controller.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { keyOf } from './seed-of-world.ts';
import type { Act } from './step-schema.ts';

const carried = (world: ScenarioWorld, who: string | undefined, what: 'pin' | 'card' | 'token'): string => {
  const found = who === undefined ? null : world.people.of(who)[what];
  if (found === null) throw new Error(`${who ?? 'nobody'} has no ${what}`);
  return found;
};

const linesNamed = (world: ScenarioWorld, name: string): readonly ScenarioController[] =>
  name === 'everywhere' ? [...world.controllers.values()] : [world.at(name)];

const somebody = (who: string | undefined): string => who ?? 'Somebody';

const atTheDoor: Doings<'type' | 'tap' | 'tap_phone' | 'exit' | 'push' | 'force' | 'close'> = {
  type: {
    words: ({ keys, who, at }) => `${somebody(who)} types ${keys ?? 'the PIN'} at ${at}`,
    run: (world, { keys, who, at }) => world.at(at).working.keypad.press(keys ?? carried(world, who, 'pin')),
  },
  tap: {
    words: ({ card, who, at }) => `${somebody(who)} taps ${card === undefined ? 'the card' : `card ${card}`} at ${at}`,
    run: (world, { card, who, at }) => void world.at(at).working.reader.tap(card ?? carried(world, who, 'card')),
  },
  tap_phone: {
    words: ({ who, at }) => `${who} taps the phone at ${at}`,
    run: async (world, { who, at }) => {
      await world.at(at).working.reader.tapPhone(carried(world, who, 'token'));
    },
  },
  exit: {
    words: door => `Somebody inside presses the exit button of ${door}`,
    run: (world, door) => world.at(door).working.inputs.press(world.at(door).lineOf(door, 'exit')),
  },
  push: {
    words: door => `${door} is pushed open`,
    run: (world, door) => {
      if (!world.at(door).isUnlocked(door)) throw new Error(`${door} is locked`);
      world.at(door).working.inputs.set(world.at(door).lineOf(door, 'contact'), 'active');
    },
  },
  force: {
    words: door => `${door} is forced open`,
    run: (world, door) => world.at(door).working.inputs.set(world.at(door).lineOf(door, 'contact'), 'active'),
  },
  close: {
    words: door => `${door} falls shut`,
    run: (world, door) => world.at(door).working.inputs.set(world.at(door).lineOf(door, 'contact'), 'inactive'),
  },
};

const faults: Doings<
  'cut_internet' | 'restore_internet' | 'cut_power' | 'restore_power' | 'step_clock' | 'webhook_answers'
> = {
  cut_internet: {
    words: name => (name === 'everywhere' ? 'The internet is gone' : `The line of ${name} is cut`),
    run: (world, name) => {
      for (const controller of linesNamed(world, name)) controller.setLine(false);
    },
  },
  restore_internet: {
    words: name => (name === 'everywhere' ? 'The internet is back' : `The line of ${name} is back`),
    run: (world, name) => {
      for (const controller of linesNamed(world, name)) controller.setLine(true);
    },
  },
  cut_power: {
    words: name => `The current of ${name} is cut`,
    run: (world, name) => world.at(name).cutPower(),
  },
  restore_power: {
    words: name => `${name} has current again`,
    run: (world, name) => world.at(name).switchOn(),
  },
  step_clock: {
    words: ({ at, ahead, behind }) =>
      `The clock of ${at}'s machine is set ${ahead ?? behind} ${ahead === undefined ? 'behind' : 'ahead'}`,
    run: (world, { at, ahead, behind }) =>
      world.at(at).stepClock((durationOf(ahead ?? '') ?? 0) - (durationOf(behind ?? '') ?? 0)),
  },
  webhook_answers: {
    words: answers => `The booking system answers webhooks ${answers === 'ok' ? 'again' : 'with a failure'}`,
    run: (world, answers) => {
      world.receiver.isFailing = answers === 'failure';
    },
  },
};

const administration: Doings<'edit_rules'> = {
  edit_rules: {
    words: ({ at }) => `The administrator edits the input rules of ${at}`,
    run: async (world, { at, rules }) => {
      const { ids } = world.bridge;
      const input_rules = rules.map(({ code, door, action }) => ({
        code,
        gadget_id: ids[keyOf.door(door)]!,
        action_id: action,
      }));
      const deviceId = world.at(at).place.deviceId;
      await world.bridge.administer(context => editDevice(context, deviceId, { input_rules }));
    },
  },
};

const doings: Doings<keyof Act> = { ...atTheDoor, ...faults, ...administration, ...deskActs };

type AnyDoing = { readonly doing: Doing<unknown>; readonly given: unknown };

const doingOf = (act: Act): AnyDoing => {
  const [name, given] = Object.entries(act).find(([, value]) => value !== undefined)!;
  return { doing: doings[name as keyof Act] as Doing<unknown>, given };
};

export const wordsOfAct = (act: Act): string => {
  const { doing, given } = doingOf(act);
  return doing.words(given);
};

/** What is under way afterwards is awaited by the caller. Throws what could not be done. */
export const perform = async (world: ScenarioWorld, act: Act): Promise<void> => {
  const { doing, given } = doingOf(act);
  await doing.run(world, given);
};
