import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { releaseVersionSchema } from '../../updates/release-version.ts';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * Installs or cancels a release. The message gives its location and hash; the signature inside the release decides
 * whether it is trusted. Repeated until the device has finished.
 */
export const updateMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  rollout_id: idSchema('rollout'),
  action: z.enum(['install', 'cancel']),
  release: z.object({
    version: releaseVersionSchema,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    size: z.int().min(1),
  }),
  /** Relative to the address of the bridge. */
  path: z.string().max(300),
  /** Valid for this device and this roll-out only. */
  token: z.string().min(22).max(200),
  /** Maximum bytes per second. */
  rate: z.int().min(1024),
  /** How long the device may wait until its doors are idle. */
  switch_within_s: z.int().min(0).max(604_800),
});
export type UpdateMqttMessage = z.infer<typeof updateMqttMessageSchema>;
