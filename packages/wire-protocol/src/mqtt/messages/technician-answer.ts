import * as z from 'zod';
import { counter, requestId, version } from '../message-fields.ts';

/** So much of a body is in one message. */
export const ANSWER_PART_CHARS = 128 * 1024;
/** Beyond that it has to be fetched at the door. */
export const MOST_ANSWER_PARTS = 32;

/** What the controller answers a technician far away, in parts where it is large. */
export const technicianAnswer = z.object({
  v: version,
  request_id: requestId,
  part: counter,
  parts: z.int().min(1).max(MOST_ANSWER_PARTS),
  status: z.int().min(200).max(599),
  /** Those that mean something to the page: `content-disposition`, `retry-after`, `allow`. */
  headers: z.record(z.string().max(40), z.string().max(1000)),
  body: z.string().max(ANSWER_PART_CHARS),
});
export type TechnicianAnswer = z.infer<typeof technicianAnswer>;
