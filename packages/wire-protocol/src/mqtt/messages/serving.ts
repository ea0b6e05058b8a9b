import * as z from 'zod';
import { epochMilliseconds, revision, snapshotDigestHex, protocolVersion } from '../message-fields.ts';

/** The controller decides by this revision from now on. */
export const servingMessage = z.object({
  v: protocolVersion,
  revision,
  digest: snapshotDigestHex,
  at: epochMilliseconds,
});
export type ServingMessage = z.infer<typeof servingMessage>;
