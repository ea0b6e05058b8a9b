import * as z from 'zod';
import { milliseconds, revision, sliceDigest, version } from '../message-fields.ts';

/** From now on the controller decides by this revision. */
export const serving = z.object({ v: version, revision, digest: sliceDigest, at: milliseconds });
export type Serving = z.infer<typeof serving>;
