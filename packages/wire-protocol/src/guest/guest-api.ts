import { denialReasons } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { executeActionAsMemberRequestSchema } from '../rest/gadget.ts';

/*
 * The API of the guest pages under `/guest/v1`. It never contains the member's name, which is for administrators only.
 */

const LONGEST_TOKEN = 200;

/** `POST /guest/v1/session`: exchanges the token of a magic link for a session cookie. */
export const magicLinkLoginRequestSchema = z.strictObject({ magic_link: z.string().min(1).max(LONGEST_TOKEN) });

/** `POST /guest/v1/login`: requests a code by e-mail. */
export const guestLoginCodeRequestSchema = z.strictObject({ email: z.string().trim().pipe(z.email().max(254)) });

/**
 * Identical for known and unknown addresses. Null: after too many requests for the address, the mail has a link instead of a
 * code. Its fragment is `{login_id}.{code}`, and works in every browser.
 */
export const guestLoginCodeResponseSchema = tolerantObjectSchema({ login_id: z.string().nullable() });
export type GuestLoginCodeResponse = z.infer<typeof guestLoginCodeResponseSchema>;

/**
 * `POST /guest/v1/login/code`. A wrong or expired code is `invalid_request` with one of `guestLoginCodeErrorReasons` as
 * `args.reason`.
 */
export const guestLoginCodeSubmissionRequestSchema = z.strictObject({
  login_id: z.string().min(1).max(LONGEST_TOKEN),
  code: z.string().regex(/^\d{6}$/, { error: 'must be 6 digits' }),
});
export const guestLoginCodeErrorReasons = ['wrong_code', 'code_expired'] as const;

/**
 * `POST /guest/v1/gadgets/{gadget_id}/actions/{action_id}`; `member_id` is required if the session has several
 * memberships.
 */
export const guestActionRequestSchema = z.strictObject({
  member_id: idSchema('member').optional(),
  location: executeActionAsMemberRequestSchema.shape.location,
});

/**
 * `POST /guest/v1/phone_keys`: registers the Ed25519 public key of the phone (32 bytes in base64url) as a member token.
 * `member_id` is required if the session has several memberships.
 */
export const phoneEnrollmentRequestSchema = z.strictObject({
  member_id: idSchema('member').optional(),
  public_key: z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, { error: 'must be 32 bytes in base64url' }),
});

export const phoneEnrollmentResponseSchema = tolerantObjectSchema({
  member_id: idSchema('member'),
  member_token_id: idSchema('member_token'),
  organization_id: idSchema('organization'),
  /** 32 bytes in base64url, for the Bluetooth protocol. */
  bluetooth_key: z.string(),
});
export type PhoneEnrollmentResponse = z.infer<typeof phoneEnrollmentResponseSchema>;

/** `POST /guest/v1/pins/reveal`; `member_id` is required if the session has several memberships. */
export const guestPinRequestSchema = z.strictObject({ member_id: idSchema('member').optional() });

/** What to type at a door: the code, if the keypad needs one, and then the PIN. */
const guestPinEntry = tolerantObjectSchema({ door: z.string(), site: z.string(), code: z.string() });

export const guestPinsResponseSchema = tolerantObjectSchema({
  pins: z.array(tolerantObjectSchema({ pin: z.string() })),
  /** Doors with a keypad that takes the PINs of the member, now or later. */
  entries: z.array(guestPinEntry),
});
export type GuestPinsResponse = z.infer<typeof guestPinsResponseSchema>;

const guestActionOutlook = tolerantObjectSchema({
  id: z.string(),
  name: z.string(),
  /** Allowed now; with `needs_location`, as far as the bridge can tell without the location of the phone. */
  is_allowed: z.boolean(),
  needs_location: z.boolean(),
  reason: openEnumSchema([...denialReasons]).nullable(),
  /** When it becomes allowed, if predictable. */
  allowed_from: dateTimeSchema.nullable(),
});
export type GuestActionAvailability = z.infer<typeof guestActionOutlook>;

const guestGadget = tolerantObjectSchema({
  id: idSchema('gadget'),
  /** The controller, which a phone recognizes over Bluetooth. */
  device_id: idSchema('device'),
  name: z.string(),
  actions: z.array(guestActionOutlook),
});
export type GuestGadget = z.infer<typeof guestGadget>;

const guestSite = tolerantObjectSchema({
  id: idSchema('site'),
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

/** Whom a guest can call. */
const guestContact = tolerantObjectSchema({ name: z.string(), phone: z.string().nullable() });
export type GuestContact = z.infer<typeof guestContact>;

const guestMembership = tolerantObjectSchema({
  member_id: idSchema('member'),
  organization_name: z.string(),
  language: z.string().nullable(),
  starts_at: dateTimeSchema.nullable(),
  ends_at: dateTimeSchema.nullable(),
  sites: z.array(guestSite),
  contact: guestContact,
  /** Whether the member has PINs that the page may show; with `offline` the phone may keep them. */
  pins: openEnumSchema(['none', 'online', 'offline']),
  /** Not all gadgets fit into the response. */
  has_more: z.boolean(),
});
export type GuestMembership = z.infer<typeof guestMembership>;

/** `GET /guest/v1/me`. */
export const guestMeResponseSchema = tolerantObjectSchema({
  now: dateTimeSchema,
  memberships: z.array(guestMembership),
});
export type GuestMeResponse = z.infer<typeof guestMeResponseSchema>;
