import * as z from 'zod';
import { scenarioDurationSchema, scenarioNameSchema } from '../field-schemas.ts';
import { parseScenarioDuration } from '../scenario-time.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { defineScenarioAction } from './define-actions-and-expectations.ts';

const setLinks = (world: ScenarioWorld, name: string, isOpen: boolean): void => {
  const affected = name === 'everywhere' ? world.controllers.values() : [world.at(name)];
  for (const controller of affected) controller.setUplink(isOpen);
};

export const scenarioFaultActions = {
  cut_internet: defineScenarioAction(
    scenarioNameSchema,
    at => (at === 'everywhere' ? 'The internet connection fails' : `${at} loses its internet connection`),
    (world, at) => setLinks(world, at, false),
  ),
  restore_internet: defineScenarioAction(
    scenarioNameSchema,
    at => (at === 'everywhere' ? 'The internet connection returns' : `${at} is connected to the internet again`),
    (world, at) => setLinks(world, at, true),
  ),
  cut_power: defineScenarioAction(scenarioNameSchema, '{} loses power', (world, at) => world.at(at).cutPower()),
  restore_power: defineScenarioAction(scenarioNameSchema, '{} has power again', (world, at) => world.at(at).switchOn()),
  step_clock: defineScenarioAction(
    z
      .strictObject({
        at: scenarioNameSchema,
        ahead: scenarioDurationSchema.optional(),
        behind: scenarioDurationSchema.optional(),
      })
      .refine(({ ahead, behind }) => (ahead === undefined) !== (behind === undefined), {
        error: 'must have "ahead" or "behind"',
      }),
    ({ at, ahead, behind }) =>
      `The system clock of ${at} is set ${ahead ?? behind} ${ahead === undefined ? 'behind' : 'ahead'}`,
    (world, { at, ahead = '', behind = '' }) =>
      world.at(at).stepClock((parseScenarioDuration(ahead) ?? 0) - (parseScenarioDuration(behind) ?? 0)),
  ),
  webhook_answers: defineScenarioAction(
    z.enum(['ok', 'failure']),
    answers => `The booking system ${answers === 'ok' ? 'accepts webhooks again' : 'rejects webhooks'}`,
    ({ receiver }, answers) => {
      receiver.isFailing = answers === 'failure';
    },
  ),
};
