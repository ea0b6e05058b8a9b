import * as z from 'zod';
import { time } from '../named-texts.ts';
import { apiActs } from './api-acts.ts';
import { deviceExpectations } from './device-expectations.ts';
import { doorActs } from './door-acts.ts';
import { doorExpectations } from './door-expectations.ts';
import { eventExpectations } from './event-expectations.ts';
import { faultActs } from './fault-acts.ts';
import { oneOf } from './step-kind.ts';

export const acts = { ...doorActs, ...faultActs, ...apiActs };
export const expectations = { ...doorExpectations, ...deviceExpectations, ...eventExpectations };

/** One, or several one after the other. */
const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value: unknown) => (Array.isArray(value) ? value : [value]), z.array(schema).min(1).max(50));

export const step = z
  .strictObject({
    at: time.optional(),
    do: oneOrMore(oneOf(acts)).optional(),
    expect: oneOrMore(oneOf(expectations)).optional(),
  })
  .refine(given => given.at !== undefined || given.do !== undefined || given.expect !== undefined, {
    error: 'must say when, what to do or what to expect',
  });
export type Step = z.infer<typeof step>;
export type ActPlan = NonNullable<Step['do']>[number];

/** A step that expects an answer other than 200 may ask for what the bridge rejects. */
export const mayBeRejected = ({ expect = [] }: Step): boolean =>
  expect.some(({ answer }) => answer !== undefined && answer.status !== 200);
