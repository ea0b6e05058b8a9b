import * as z from 'zod';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const assignableReader = tolerantObjectSchema({
  /** The name in the profile. */
  reader: z.string(),
  /** Null if no station uses it. */
  station: z.string().nullable(),
  /** The USB port of the assigned reader; null until one is assigned. */
  usb_path: z.string().nullable(),
});

/** `GET /technician/v1/pcsc_readers`: the PC/SC readers that are assigned on site. */
export const assignablePcscReadersResponseSchema = tolerantObjectSchema({ data: z.array(assignableReader) });
export type AssignablePcscReadersResponse = z.infer<typeof assignablePcscReadersResponseSchema>;

/**
 * `POST /technician/v1/pcsc_readers/{reader}/assign`, with an empty body: responds when a card is presented at any PC/SC
 * reader, or after 30 s. The tap opens nothing.
 */
export const pcscReaderAssignmentResponseSchema = tolerantObjectSchema({
  /** `unknown_place`: the reader does not tell its USB port, so that it cannot be assigned. */
  outcome: openEnumSchema(['assigned', 'no_card', 'unknown_place']),
  usb_path: z.string().nullable(),
  /** The reader of the profile that had this port before. It has none now. */
  released: z.string().nullable(),
});
export type PcscReaderAssignmentResponse = z.infer<typeof pcscReaderAssignmentResponseSchema>;
