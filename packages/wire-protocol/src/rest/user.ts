import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** Visible only by expanding an event. */
export const userResponseSchema = tolerantObjectSchema({
  id: idSchema('user'),
  email: z.string().describe('Email address with which the user signs in'),
  name: z.string().describe('Name of the user'),
}).describe('A person who administers the organization');
