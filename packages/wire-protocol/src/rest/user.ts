import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** Seen through an event's expand only. */
export const userAnswer = tolerantObject({ id: idOf('user'), email: z.string(), name: z.string() });
export type UserAnswer = z.infer<typeof userAnswer>;
