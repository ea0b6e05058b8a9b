import * as z from 'zod';
import { deviceEventSchema } from '../mqtt/messages/events.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** An event of the controller, with `occurred_at` as a date-time. */
export const technicianEventResponseSchema = tolerantObjectSchema({
  ...deviceEventSchema.shape,
  occurred_at: dateTimeSchema,
});
export type TechnicianEventResponse = z.infer<typeof technicianEventResponseSchema>;

const station = z.string();

/**
 * `GET /technician/v1/live`: server-sent events with these messages as data. They never contain digits of a PIN or
 * code, and of a card's uid only the last byte.
 */
export const technicianLiveMessageSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('key'), station, key: z.enum(['•', '*', '#']) }),
  z.looseObject({ type: z.literal('card'), station, card: z.string() }),
  /** Progress of the key entry: nothing, part of a code, or a rule that waits for a PIN or card. */
  z.looseObject({
    type: z.literal('entry'),
    station,
    phase: z.enum(['idle', 'code', 'armed']),
    /** Also null without any rules, where the first action of the first gadget applies. */
    rule: z.object({ gadget_id: idSchema('gadget'), action_id: z.string() }).nullable(),
  }),
  z.looseObject({ type: z.literal('feedback'), station, kind: z.string() }),
  z.looseObject({ type: z.literal('input'), input: z.string(), level: z.enum(['active', 'inactive', 'unknown']) }),
  z.looseObject({
    type: z.literal('output'),
    output: z.string(),
    on: z.boolean(),
    /** Duration of a pulse. Null: on until switched off. */
    pulse_ms: z.number().nullable(),
  }),
  /** The controller waits for a card for a technician, at this reader or at any. The card opens nothing. */
  z.looseObject({ type: z.literal('awaiting_card'), station: station.nullable() }),
  /** A technician has tested a credential; nothing was executed. */
  z.looseObject({
    type: z.literal('try'),
    rule: z.object({ gadget_id: idSchema('gadget'), action_id: z.string() }).nullable(),
    access_method: z.string(),
    granted: z.boolean(),
    reason: z.string().nullable(),
  }),
  /** The rules changed, or a provisional edit was confirmed: read them again. */
  z.looseObject({ type: z.literal('rules'), base: z.string(), provisional: z.boolean(), pending: z.boolean() }),
  /** Decisions with their reasons, states, signals, faults. */
  z.looseObject({ type: z.literal('event'), event: technicianEventResponseSchema }),
]);
type Known<T> = T extends unknown ? { [K in keyof T as string extends K ? never : K]: T[K] } : never;
export type TechnicianLiveMessage = Known<z.infer<typeof technicianLiveMessageSchema>>;
