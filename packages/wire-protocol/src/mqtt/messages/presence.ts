import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { version } from '../message-fields.ts';

/** A gateway's word on the devices that hang on it; whoever is not named is not there. */
export const presence = z.object({
  v: version,
  devices: z.array(idOf('device')).max(10_000),
});
export type Presence = z.infer<typeof presence>;
