import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { counter, version } from '../message-fields.ts';

/** Committed, not merely received: every event up to this sequence, and these beyond it. */
export const ack = z.object({ v: version, up_to: counter, event_ids: z.array(idOf('event')).max(500) });
export type Ack = z.infer<typeof ack>;
