import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { releaseVersion } from '../../updates/release-version.ts';
import { version } from '../message-fields.ts';

/**
 * Take this release, or leave it again. The order says where it is and what its bytes are; whether it is believed is
 * decided by the signature in it. Said again as long as the device has not come to an end with it.
 */
export const update = z.object({
  v: version,
  rollout_id: idOf('rollout'),
  action: z.enum(['install', 'cancel']),
  release: z.object({
    version: releaseVersion,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    size: z.int().min(1),
  }),
  /** Below the address of the bridge. */
  path: z.string().max(300),
  /** For this device and this roll-out alone. */
  token: z.string().min(22).max(200),
  /** At most so many bytes a second. */
  rate: z.int().min(1024),
  /** How long it may wait for a moment in which nobody is at its doors. */
  switch_within_s: z.int().min(0).max(604_800),
});
export type Update = z.infer<typeof update>;
