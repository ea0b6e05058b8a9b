import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { technicianName } from './input-rules.ts';

/** `POST /technician/v1/commissioning`: in place of the one there was. */
export const commissioningWish = z.strictObject({ kind: z.enum(['pin', 'next_card']) });

const credential = {
  kind: z.enum(['pin', 'card']).nullable(),
  /** All but the last byte of its uid hidden. */
  card: z.string().nullable(),
  expires_at: dateTime.nullable(),
  seconds_left: z.number().nullable(),
} as const;

export const commissioningMade = tolerantObject({
  /** `no_card`: nobody has held one to a reader in time, and the rest is null. */
  outcome: z.enum(['made', 'no_card']),
  ...credential,
  /** Told here and nowhere else. */
  pin: z.string().nullable(),
});
export type CommissioningMade = z.infer<typeof commissioningMade>;

/** `GET /technician/v1/commissioning`; all but `active` and `uses` is null where there is none. */
export const commissioningState = tolerantObject({
  active: z.boolean(),
  ...credential,
  by: technicianName.nullable(),
  /** How often it has opened something. */
  uses: z.int(),
});
export type CommissioningState = z.infer<typeof commissioningState>;
