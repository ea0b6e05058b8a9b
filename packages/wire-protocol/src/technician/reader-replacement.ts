import * as z from 'zod';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const readerIdentity = tolerantObjectSchema({
  /** As registered with the IEEE, six hexadecimal digits. */
  vendor: z.string(),
  model: z.number(),
  version: z.number(),
  serial: z.number(),
  firmware: z.string(),
});

export const readerReplacementSchema = tolerantObjectSchema({
  state: openEnumSchema(['waiting', 'done', 'timed_out', 'canceled']),
  remaining_ms: z.number(),
  /**
   * What the controller sees at the address: `old_reader` still responds; `no_answer`; a reader responds at
   * `other_address`; a reader is `refused`, see `text`.
   */
  seen: openEnumSchema(['connecting', 'no_answer', 'other_address', 'old_reader', 'refused']),
  /** What happens or happened, and what to do, for people. */
  text: z.string(),
  found_address: z.number().nullable(),
  /** Of the new reader, when it is done. */
  identity: readerIdentity.nullable(),
});
export type ReaderReplacementResponse = z.infer<typeof readerReplacementSchema>;

const replaceableReader = tolerantObjectSchema({
  /** Its first name in the profile. */
  reader: z.string(),
  /** The reader units that use it; several if one module has several readers. */
  stations: z.array(z.string()),
  address: z.number(),
  /** Why it is not used now; null if it works. */
  fault: z.string().nullable(),
  /** The last replacement since the controller started. */
  replacement: readerReplacementSchema.nullable(),
});

/** `GET /technician/v1/osdp_readers`: the OSDP readers with a secure channel. */
export const replaceableReadersResponseSchema = tolerantObjectSchema({ data: z.array(replaceableReader) });
export type ReplaceableReadersResponse = z.infer<typeof replaceableReadersResponseSchema>;

/**
 * `POST /technician/v1/osdp_readers/{reader}/replace`: accepts a new reader at this address for five minutes. `key`:
 * the present key of the new reader, 32 hexadecimal digits; null if it is in installation mode.
 */
export const replaceReaderRequestSchema = z.strictObject({
  key: z
    .string()
    .regex(/^[0-9a-fA-F]{32}$/, { error: 'must be 32 hexadecimal digits' })
    .nullable(),
});
