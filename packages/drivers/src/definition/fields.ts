import * as z from 'zod';

/** Name of an output, input, bus, station or gadget in a profile. */
export const partNameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,47}$/, {
  error: 'must begin with a lower-case letter, followed by lower-case letters, digits and underscores',
});

export const displayNameSchema = z.string().trim().min(1).max(200);

/** Id in API paths. */
export const gadgetPartIdSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, {
  error: 'must be 1 to 64 letters, digits, underscores, dots or hyphens',
});

export const createMillisecondsSchema = (min: number, max: number) => z.int().min(min).max(max);

/** Where the wire goes, for the drawing and for troubleshooting. */
export const wireDescriptionSchema = z.string().trim().min(1).max(80).optional();

/** An object with part names as keys. */
export const createRecordByPartNameSchema = <T extends z.ZodType>(value: T) =>
  z.record(partNameSchema, value).default({});

/** Whether a reader sends the first or the last byte of a uid first. */
export const uidOrderSchema = z.enum(['as_sent', 'reversed']).default('as_sent');

/** Tells equal devices apart by where they are plugged in. */
export const usbPathSchema = z
  .string()
  .regex(/^\d+-\d+(?:\.\d+)*$/, { error: 'must be a USB port, such as 1-1.2' })
  .optional();
