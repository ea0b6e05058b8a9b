import * as z from 'zod';
import { scenarioTimeSchema } from '../field-schemas.ts';
import { apiActions } from './api-actions.ts';
import { deviceExpectations } from './device-expectations.ts';
import { doorActions } from './door-actions.ts';
import { doorExpectations } from './door-expectations.ts';
import { eventExpectations } from './event-expectations.ts';
import { faultActions } from './fault-actions.ts';
import { exactlyOneKeySchema } from './step-kind.ts';

export const stepActions = { ...doorActions, ...faultActions, ...apiActions };
export const stepExpectations = { ...doorExpectations, ...deviceExpectations, ...eventExpectations };

/** A single value or a list. */
const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value: unknown) => (Array.isArray(value) ? value : [value]), z.array(schema).min(1).max(50));

export const scenarioStepSchema = z
  .strictObject({
    at: scenarioTimeSchema.optional(),
    do: oneOrMore(exactlyOneKeySchema(stepActions)).optional(),
    expect: oneOrMore(exactlyOneKeySchema(stepExpectations)).optional(),
  })
  .refine(given => given.at !== undefined || given.do !== undefined || given.expect !== undefined, {
    error: 'must have "at", "do" or "expect"',
  });
export type ScenarioStepPlan = z.infer<typeof scenarioStepSchema>;
export type ScenarioActionPlan = NonNullable<ScenarioStepPlan['do']>[number];

/** Whether the step expects a response other than 200. */
export const expectsRejection = ({ expect = [] }: ScenarioStepPlan): boolean =>
  expect.some(({ answer }) => answer !== undefined && answer.status !== 200);
