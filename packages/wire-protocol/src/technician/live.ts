import * as z from 'zod';
import { deviceEvent } from '../mqtt/messages/events.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** An event of the controller; `occurred_at` as the rest of the API writes times. */
export const technicianEvent = tolerantObject({ ...deviceEvent.shape, occurred_at: dateTime });
export type TechnicianEvent = z.infer<typeof technicianEvent>;

const station = z.string();

/**
 * `GET /technician/v1/live`: server-sent events, each with one of these as its data. Digits are never in them, neither of
 * a PIN nor of a code; of a card's uid the last byte is.
 */
export const liveHappening = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('key'), station, key: z.enum(['•', '*', '#']) }),
  z.looseObject({ type: z.literal('card'), station, card: z.string() }),
  /** What was typed has come to this: nothing, a part of a code, or a rule that waits for a PIN or a card. */
  z.looseObject({
    type: z.literal('entry'),
    station,
    phase: z.enum(['idle', 'code', 'armed']),
    /** Null also without any rules: then it is the first action of the first gadget. */
    rule: z.object({ gadget_id: idOf('gadget'), action_id: z.string() }).nullable(),
  }),
  z.looseObject({ type: z.literal('feedback'), station, kind: z.string() }),
  z.looseObject({ type: z.literal('input'), input: z.string(), level: z.enum(['active', 'inactive', 'unknown']) }),
  z.looseObject({
    type: z.literal('output'),
    output: z.string(),
    on: z.boolean(),
    /** A pulse ends by itself. Null: on until it is told to be off. */
    pulse_ms: z.number().nullable(),
  }),
  /** The controller waits for a card on behalf of a technician, at this reader or at any. That card opens nothing. */
  z.looseObject({ type: z.literal('awaiting_card'), station: station.nullable() }),
  /** A technician has tried a credential; nothing has moved. */
  z.looseObject({
    type: z.literal('try'),
    rule: z.object({ gadget_id: idOf('gadget'), action_id: z.string() }).nullable(),
    access_method: z.string(),
    granted: z.boolean(),
    reason: z.string().nullable(),
  }),
  /** Other rules hold, or a provisional edit has become a lasting one: they are to be read again. */
  z.looseObject({ type: z.literal('rules'), base: z.string(), provisional: z.boolean(), pending: z.boolean() }),
  /** Decisions with their reasons, states, signals, faults. */
  z.looseObject({ type: z.literal('event'), event: technicianEvent }),
]);
type Known<T> = T extends unknown ? { [K in keyof T as string extends K ? never : K]: T[K] } : never;
export type LiveHappening = Known<z.infer<typeof liveHappening>>;
