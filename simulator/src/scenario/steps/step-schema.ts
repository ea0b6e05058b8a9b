import * as z from 'zod';
import { time } from '../field-schemas.ts';
import { apiActions } from './api-actions.ts';
import { deviceExpectations } from './device-expectations.ts';
import { doorActions } from './door-actions.ts';
import { doorExpectations } from './door-expectations.ts';
import { eventExpectations } from './event-expectations.ts';
import { faultActions } from './fault-actions.ts';
import { exactlyOneOf } from './step-kind.ts';

export const actions = { ...doorActions, ...faultActions, ...apiActions };
export const expectations = { ...doorExpectations, ...deviceExpectations, ...eventExpectations };

/** A single value or a list. */
const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value: unknown) => (Array.isArray(value) ? value : [value]), z.array(schema).min(1).max(50));

export const step = z
  .strictObject({
    at: time.optional(),
    do: oneOrMore(exactlyOneOf(actions)).optional(),
    expect: oneOrMore(exactlyOneOf(expectations)).optional(),
  })
  .refine(given => given.at !== undefined || given.do !== undefined || given.expect !== undefined, {
    error: 'must have "at", "do" or "expect"',
  });
export type Step = z.infer<typeof step>;
export type ActionPlan = NonNullable<Step['do']>[number];

/** Whether the step expects a response other than 200. */
export const expectsRejection = ({ expect = [] }: Step): boolean =>
  expect.some(({ answer }) => answer !== undefined && answer.status !== 200);
