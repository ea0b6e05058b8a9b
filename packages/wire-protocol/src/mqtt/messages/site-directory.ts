import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { version } from '../message-fields.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** The other devices of the controller's site with what rules can lead to there; as many as a technician can choose from. */
export const siteDirectory = z.object({
  v: version,
  devices: z.array(
    z.object({
      id: idOf('device'),
      name: z.string(),
      takes_rules: z.boolean(),
      gadgets: z.array(z.object({ id: idOf('gadget'), name: z.string(), actions: z.array(named) })),
    }),
  ),
});
export type SiteDirectoryMessage = z.infer<typeof siteDirectory>;
