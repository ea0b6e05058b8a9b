import * as z from 'zod';
import { userResponse } from '../rest/user.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** `csrf_token` goes into the header `X-CSRF-Token` of every write. */
export const sessionResponse = tolerantObject({ user: userResponse, csrf_token: z.string() });
