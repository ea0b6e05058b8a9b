import * as z from 'zod';
import { scenarioTimeSchema } from '../field-schemas.ts';
import { scenarioApiActions } from './api-actions.ts';
import { scenarioDeviceExpectations } from './controller-and-member-expectations.ts';
import { scenarioDoorActions } from './door-actions.ts';
import { scenarioDoorExpectations } from './door-expectations.ts';
import { scenarioEventExpectations } from './event-expectations.ts';
import { scenarioFaultActions } from './fault-actions.ts';
import { exactlyOneKeySchema } from './exactly-one-key-schema.ts';

export const scenarioActions = { ...scenarioDoorActions, ...scenarioFaultActions, ...scenarioApiActions };
export const scenarioExpectations = {
  ...scenarioDoorExpectations,
  ...scenarioDeviceExpectations,
  ...scenarioEventExpectations,
};

/** A single value or a list. */
const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value: unknown) => (Array.isArray(value) ? value : [value]), z.array(schema).min(1).max(50));

export const scenarioStepSchema = z
  .strictObject({
    at: scenarioTimeSchema.optional(),
    do: oneOrMore(exactlyOneKeySchema(scenarioActions)).optional(),
    expect: oneOrMore(exactlyOneKeySchema(scenarioExpectations)).optional(),
  })
  .refine(given => given.at !== undefined || given.do !== undefined || given.expect !== undefined, {
    error: 'must have "at", "do" or "expect"',
  });
export type ScenarioStepPlan = z.infer<typeof scenarioStepSchema>;
export type ScenarioActionPlan = NonNullable<ScenarioStepPlan['do']>[number];

/** Whether the step expects a response other than 200. */
export const expectsApiRejection = ({ expect = [] }: ScenarioStepPlan): boolean =>
  expect.some(({ answer }) => answer !== undefined && answer.status !== 200);
