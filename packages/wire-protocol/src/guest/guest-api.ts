import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { denialReasons } from '../rest/event-terms.ts';
import { executeAsMember } from '../rest/gadget.ts';

/*
 * What the guest pages and the bridge say to one another under `/guest/v1`. The member's name is in none of it: that is
 * the administrators' label.
 */

const LONGEST_TOKEN = 200;

/** `POST /guest/v1/session`: the last part of the link's address becomes a session cookie. */
export const linkOpening = z.strictObject({ magic_link: z.string().min(1).max(LONGEST_TOKEN) });

/** `POST /guest/v1/login`: asks for a code by e-mail. */
export const codeRequest = z.strictObject({ email: z.string().trim().pipe(z.email().max(254)) });

/** The same whether the address is known or not. */
export const codeRequestAnswer = tolerantObject({ login_id: z.string() });
export type CodeRequestAnswer = z.infer<typeof codeRequestAnswer>;

/** `POST /guest/v1/login/code`. A wrong or outdated code is `invalid_request` with one of these as `args.reason`. */
export const codeEntry = z.strictObject({
  login_id: z.string().min(1).max(LONGEST_TOKEN),
  code: z.string().regex(/^\d{6}$/, { error: 'must be 6 digits' }),
});
export const codeProblems = ['wrong_code', 'code_expired'] as const;

/** `POST /guest/v1/gadgets/{gadget_id}/actions/{action_id}`; `member_id` is needed when the session has several. */
export const guestAction = z.strictObject({
  member_id: idOf('member').optional(),
  location: executeAsMember.shape.location,
});

const guestActionOutlook = tolerantObject({
  id: z.string(),
  name: z.string(),
  /** Now; with `needs_location` as far as the bridge can tell without knowing where the phone is. */
  is_allowed: z.boolean(),
  needs_location: z.boolean(),
  reason: openEnum([...denialReasons]).nullable(),
  /** When it becomes allowed, as far as can be foreseen. */
  allowed_from: dateTime.nullable(),
});
export type GuestActionOutlook = z.infer<typeof guestActionOutlook>;

const guestGadget = tolerantObject({
  id: idOf('gadget'),
  name: z.string(),
  actions: z.array(guestActionOutlook),
});
export type GuestGadget = z.infer<typeof guestGadget>;

const guestSite = tolerantObject({
  id: idOf('site'),
  name: z.string(),
  timezone: z.string().nullable(),
  image_url: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  info: z.string().nullable(),
  gadgets: z.array(guestGadget),
});
export type GuestSite = z.infer<typeof guestSite>;

const guestMembership = tolerantObject({
  member_id: idOf('member'),
  organization_name: z.string(),
  language: z.string().nullable(),
  starts_at: dateTime.nullable(),
  ends_at: dateTime.nullable(),
  sites: z.array(guestSite),
  /** There are more doors than the answer holds. */
  has_more: z.boolean(),
});
export type GuestMembership = z.infer<typeof guestMembership>;

/** `GET /guest/v1/me`. */
export const guestAnswer = tolerantObject({ now: dateTime, memberships: z.array(guestMembership) });
export type GuestAnswer = z.infer<typeof guestAnswer>;
