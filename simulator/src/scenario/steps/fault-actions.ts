import * as z from 'zod';
import { duration, name } from '../field-schemas.ts';
import { parseDuration } from '../scenario-time.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { defineAction } from './step-kind.ts';

const setLinks = (world: ScenarioWorld, name: string, isOpen: boolean): void => {
  const affected = name === 'everywhere' ? world.controllers.values() : [world.at(name)];
  for (const controller of affected) controller.setUplink(isOpen);
};

export const faultActions = {
  cut_internet: defineAction(
    name,
    at => (at === 'everywhere' ? 'The internet connection fails' : `${at} loses its internet connection`),
    (world, at) => setLinks(world, at, false),
  ),
  restore_internet: defineAction(
    name,
    at => (at === 'everywhere' ? 'The internet connection returns' : `${at} is connected to the internet again`),
    (world, at) => setLinks(world, at, true),
  ),
  cut_power: defineAction(name, '{} loses power', (world, at) => world.at(at).cutPower()),
  restore_power: defineAction(name, '{} has power again', (world, at) => world.at(at).switchOn()),
  step_clock: defineAction(
    z
      .strictObject({ at: name, ahead: duration.optional(), behind: duration.optional() })
      .refine(({ ahead, behind }) => (ahead === undefined) !== (behind === undefined), {
        error: 'must have "ahead" or "behind"',
      }),
    ({ at, ahead, behind }) =>
      `The system clock of ${at} is set ${ahead ?? behind} ${ahead === undefined ? 'behind' : 'ahead'}`,
    (world, { at, ahead = '', behind = '' }) =>
      world.at(at).stepClock((parseDuration(ahead) ?? 0) - (parseDuration(behind) ?? 0)),
  ),
  webhook_answers: defineAction(
    z.enum(['ok', 'failure']),
    answers => `The booking system ${answers === 'ok' ? 'accepts webhooks again' : 'rejects webhooks'}`,
    ({ receiver }, answers) => {
      receiver.isFailing = answers === 'failure';
    },
  ),
};
