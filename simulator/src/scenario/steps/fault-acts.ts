import * as z from 'zod';
import { duration, name } from '../named-texts.ts';
import { durationOf } from '../scenario-time.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { act } from './step-kind.ts';

const setLinks = (world: ScenarioWorld, name: string, isOpen: boolean): void => {
  const meant = name === 'everywhere' ? world.controllers.values() : [world.at(name)];
  for (const controller of meant) controller.setLine(isOpen);
};

export const faultActs = {
  cut_internet: act(
    name,
    at => (at === 'everywhere' ? 'The internet is gone' : `The line of ${at} is cut`),
    (world, at) => setLinks(world, at, false),
  ),
  restore_internet: act(
    name,
    at => (at === 'everywhere' ? 'The internet is back' : `The line of ${at} is back`),
    (world, at) => setLinks(world, at, true),
  ),
  cut_power: act(name, 'The current of {} is cut', (world, at) => world.at(at).cutPower()),
  restore_power: act(name, '{} has current again', (world, at) => world.at(at).switchOn()),
  step_clock: act(
    z
      .strictObject({ at: name, ahead: duration.optional(), behind: duration.optional() })
      .refine(({ ahead, behind }) => (ahead === undefined) !== (behind === undefined), {
        error: 'must say how far ahead, or how far behind',
      }),
    ({ at, ahead, behind }) =>
      `The clock of ${at}'s machine is set ${ahead ?? behind} ${ahead === undefined ? 'behind' : 'ahead'}`,
    (world, { at, ahead = '', behind = '' }) =>
      world.at(at).stepClock((durationOf(ahead) ?? 0) - (durationOf(behind) ?? 0)),
  ),
  webhook_answers: act(
    z.enum(['ok', 'failure']),
    answers => `The booking system answers webhooks ${answers === 'ok' ? 'again' : 'with a failure'}`,
    ({ receiver }, answers) => {
      receiver.isFailing = answers === 'failure';
    },
  ),
};
