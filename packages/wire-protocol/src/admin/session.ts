import * as z from 'zod';
import { userAnswer } from '../rest/user.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** `csrf_token` goes into the header `X-CSRF-Token` of every write. */
export const sessionAnswer = tolerantObject({ user: userAnswer, csrf_token: z.string() });
