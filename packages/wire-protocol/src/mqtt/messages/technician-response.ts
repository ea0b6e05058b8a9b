import * as z from 'zod';
import { nonNegativeIntegerSchema, requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** The length of the body in one message. */
export const TECHNICIAN_RESPONSE_PART_CHARS = 128 * 1024;
/** A longer response is available at the controller only. */
export const MAX_TECHNICIAN_RESPONSE_PARTS = 32;

/** The response of the controller to a remote technician, in parts if it is long. */
export const technicianResponseMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  part: nonNegativeIntegerSchema,
  parts: z.int().min(1).max(MAX_TECHNICIAN_RESPONSE_PARTS),
  status: z.int().min(200).max(599),
  /** `content-disposition`, `retry-after` and `allow`. */
  headers: z.record(z.string().max(40), z.string().max(1000)),
  body: z.string().max(TECHNICIAN_RESPONSE_PART_CHARS),
});
export type TechnicianResponseMqttMessage = z.infer<typeof technicianResponseMqttMessageSchema>;
