import type { BrandedType } from './branded-type.ts';
import type { Instant } from './instant.ts';
import { failed, ok, createProblem, type Result } from './result.ts';

/** All kinds of objects with the prefix of their ids. */
export const idPrefixes = {
  organization: 'org_',
  site: 'site_',
  device: 'dev_',
  gadget: 'gad_',
  member: 'mem_',
  member_email: 'me_',
  member_magic_link: 'mml_',
  member_pin: 'mp_',
  member_card: 'mc_',
  card: 'crd_',
  member_token: 'mt_',
  member_group_association: 'mga_',
  member_group: 'mg_',
  schedule: 'sch_',
  event: 'evt_',
  webhook: 'wh_',
  webhook_delivery: 'whd_',
  hardware: 'hw_',
  gadget_trigger: 'gt_',
  tag: 'tag_',
  user: 'usr_',
  oauth_application: 'app_',
  claim_ticket: 'clt_',
  release: 'rel_',
  rollout: 'rol_',
  incident: 'inc_',
  script_token: 'tok_',
  alert_rule: 'alr_',
  alert_message: 'alm_',
} as const;

export type IdKind = keyof typeof idPrefixes;
export type Id<K extends IdKind> = BrandedType<string, K>;

export type OrganizationId = Id<'organization'>;
export type SiteId = Id<'site'>;
export type DeviceId = Id<'device'>;
export type GadgetId = Id<'gadget'>;
export type MemberId = Id<'member'>;
export type MemberPinId = Id<'member_pin'>;
export type MemberMagicLinkId = Id<'member_magic_link'>;
export type MemberCardId = Id<'member_card'>;
export type MemberTokenId = Id<'member_token'>;
export type GroupAssociationId = Id<'member_group_association'>;
export type MemberGroupId = Id<'member_group'>;
export type ScheduleId = Id<'schedule'>;
export type EventId = Id<'event'>;
export type HardwareId = Id<'hardware'>;
export type GadgetTriggerId = Id<'gadget_trigger'>;
export type UserId = Id<'user'>;
export type OAuthApplicationId = Id<'oauth_application'>;

/** Crockford's digits in lower case: their code points ascend, so text sorts by creation time. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_BYTES = 10;
const LATEST_TIME = 2 ** 48 - 1;

const encode = (value: number, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  return text;
};

/** Five bytes at a time: 40 bits are exact in a number and make eight digits. */
const encodeFive = (bytes: Uint8Array, from: number): string => {
  let value = 0;
  for (let index = from; index < from + 5; index++) value = value * 256 + bytes[index]!;
  return encode(value, 8);
};

/** The kind's prefix and a ULID: 48 bits of time, 80 random ones. A clock before 1970 counts as 1970. */
export const createId = <K extends IdKind>(kind: K, now: Instant, randomness: Uint8Array): Id<K> => {
  if (randomness.length !== RANDOM_BYTES) throw new RangeError(`An id requires ${RANDOM_BYTES} random bytes`);
  if (Number.isNaN(now)) throw new RangeError('An id requires its creation time');
  const time = Math.min(Math.max(Math.floor(now), 0), LATEST_TIME);
  return `${idPrefixes[kind]}${encode(time, 10)}${encodeFive(randomness, 0)}${encodeFive(randomness, 5)}` as Id<K>;
};

/** Adds one to the bytes as a big-endian number; false when they overflow. */
const increment = (bytes: Uint8Array): boolean => {
  for (let index = bytes.length - 1; index >= 0; index--) {
    const next = (bytes[index]! + 1) & 0xff;
    bytes[index] = next;
    if (next !== 0) return true;
  }
  return false;
};

/** Draws randomness for many ids at once, because drawing is the largest cost of an id. */
const DRAWN_AT_ONCE = 64;

const randomnessFrom = (randomBytes: (count: number) => Uint8Array): (() => Uint8Array) => {
  let drawn = new Uint8Array();
  let used = 0;
  return () => {
    if (used >= drawn.length) {
      drawn = Uint8Array.from(randomBytes(RANDOM_BYTES * DRAWN_AT_ONCE));
      used = 0;
    }
    used += RANDOM_BYTES;
    return drawn.subarray(used - RANDOM_BYTES, used);
  };
};

/**
 * Generates ids that ascend even within one millisecond and if the clock steps back. Each generator has its own order.
 */
export const createIdGenerator = (
  clock: () => Instant,
  randomBytes: (count: number) => Uint8Array,
): (<K extends IdKind>(kind: K) => Id<K>) => {
  let time = Number.NEGATIVE_INFINITY;
  let randomness: Uint8Array = new Uint8Array(RANDOM_BYTES);
  const draw = randomnessFrom(randomBytes);
  return kind => {
    const now = clock();
    if (now > time || !increment(randomness)) {
      time = Math.max(now, time + 1);
      randomness = draw();
    }
    return createId(kind, time as Instant, randomness);
  };
};

/** Suffixes are opaque: ids of other systems need not be ULIDs. */
const FORM = /^([a-z]+_)[0-9A-Za-z_-]{1,64}$/;

const kinds = new Map<string, IdKind>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as IdKind] as const),
);

export const parseIdKind = (text: unknown): IdKind | null => {
  const prefix = typeof text === 'string' ? FORM.exec(text)?.[1] : undefined;
  return prefix === undefined ? null : (kinds.get(prefix) ?? null);
};

export const parseId = <K extends IdKind>(kind: K, text: unknown, path = ''): Result<Id<K>> =>
  parseIdKind(text) === kind
    ? ok(text as Id<K>)
    : failed([createProblem(path, 'invalid_id', `must be an id of the form ${idPrefixes[kind]}<id>`)]);
