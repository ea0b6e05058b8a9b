import * as z from 'zod';

/** What outputs, inputs, buses, stations and gadgets are called inside a profile. */
export const partName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, { error: 'must begin with a letter: lower-case letters, digits and underscores' });

export const displayName = z.string().trim().min(1).max(200);

/** Part of an address of the API, as for every gadget. */
export const partId = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, underscores, dots or hyphens',
});

export const milliseconds = (least: number, most: number) => z.int().min(least).max(most);

/** Where the wire goes, for the drawing and for whoever looks for a fault. */
export const wire = z.string().trim().min(1).max(80).optional();

/** Names and what they stand for; a name is said once. */
export const named = <T extends z.ZodType>(value: T) => z.record(partName, value).default({});
