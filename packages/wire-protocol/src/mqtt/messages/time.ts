import * as z from 'zod';
import {
  nonNegativeIntegerSchema,
  epochMillisecondsSchema,
  nonceSchema,
  revisionSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

/**
 * The bridge's clock, in response to a `time-request` or `hello`, whose nonce it quotes. The controller measures the
 * time since it created the nonce, so it knows the maximum age of a response however long it was delayed. The bridge
 * also sends it unsolicited with the session's nonce and the current revision: a controller that is behind has missed
 * something and requests it.
 */
export const timeMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  nonce: nonceSchema,
  time: epochMillisecondsSchema,
  revision: revisionSchema,
  /** Counter of the latest revocation. */
  revoke_counter: nonNegativeIntegerSchema,
  /** Only in the response to a `time-request`: the device holds more than this bridge has sent, and sends hello. */
  needs_hello: z.boolean().optional(),
});
export type TimeMqttMessage = z.infer<typeof timeMqttMessageSchema>;
