import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import * as z from 'zod';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/*
 * The data that a controller holds. Entries keep unknown fields: the digest covers them, and conversion for a decision
 * (`convert-snapshot-entry.ts`) must not overlook an unknown restriction.
 */

/** A snapshot is signed and may have hundreds of thousands of members, so only types are checked, not formats. */
const id = <K extends IdKind>(_kind: K): z.ZodType<Id<K>, string> => z.string() as unknown as z.ZodType<Id<K>, string>;
const time = z.number() as unknown as z.ZodType<Instant, number>;

const bound = time.nullable();
const digest = z.string();
const named = tolerantObjectSchema({ id: z.string(), name: z.string() });

const device = tolerantObjectSchema({
  type: z.literal('device'),
  id: id('device'),
  site_id: id('site'),
  name: z.string(),
  input_rules: z.array(tolerantObjectSchema({ code: z.string(), gadget_id: id('gadget'), action_id: z.string() })),
  /** `waiting`: no members until an administrator has confirmed the device. */
  confirmation: openEnumSchema(['waiting']).exactOptional(),
});

/** Another controller of the site, whose requests are signed with this key. */
const peer = tolerantObjectSchema({
  type: z.literal('peer'),
  id: id('device'),
  serial: z.string(),
  public_key: z.string(),
  /** For a gateway, which displays it. */
  name: z.string().exactOptional(),
  /** For a gateway: all valid certificates of the device, which may use any of them. */
  certificates: z.array(tolerantObjectSchema({ serial: z.string(), public_key: z.string() })).exactOptional(),
});

const site = tolerantObjectSchema({
  type: z.literal('site'),
  id: id('site'),
  name: z.string(),
  timezone: z.string().nullable(),
  geo: tolerantObjectSchema({
    location: tolerantObjectSchema({ lat: z.number(), lng: z.number() }),
    radius: z.number(),
  }).nullable(),
});

/** `created_at` determines the first gadget. */
const gadget = tolerantObjectSchema({
  type: z.literal('gadget'),
  id: id('gadget'),
  site_id: id('site'),
  device_id: id('device'),
  name: z.string(),
  created_at: time,
  actions: z.array(named),
  states: z.array(named),
  signals: z.array(named),
});

const schedule = tolerantObjectSchema({
  type: z.literal('schedule'),
  id: id('schedule'),
  weekdays: z.array(z.unknown()),
});

const memberGroup = tolerantObjectSchema({
  type: z.literal('member_group'),
  id: id('member_group'),
  permissions: z.array(z.unknown()),
});

const gadgetTrigger = tolerantObjectSchema({
  type: z.literal('gadget_trigger'),
  id: id('gadget_trigger'),
  site_id: id('site'),
  source_type: openEnumSchema(['state', 'signal', 'schedule']),
  source_gadget_id: id('gadget').nullable(),
  source_state_id: z.string().nullable(),
  source_signal_id: z.string().nullable(),
  source_schedule_id: id('schedule').nullable(),
  source_schedule_event: openEnumSchema(['enter', 'exit']).nullable(),
  target_gadget_id: id('gadget'),
  target_action_id: z.string(),
});

const member = tolerantObjectSchema({
  type: z.literal('member'),
  id: id('member'),
  is_deleted: z.boolean(),
  starts_at: bound,
  ends_at: bound,
  group_associations: z.array(
    tolerantObjectSchema({
      id: id('member_group_association'),
      member_group_id: id('member_group'),
      starts_at: bound,
      ends_at: bound,
    }),
  ),
  pins: z.array(
    /** `extended`: a longer PIN of the organization begins with the same digits. */
    tolerantObjectSchema({ id: id('member_pin'), digest, extended: z.literal(true).exactOptional() }),
  ),
  cards: z.array(tolerantObjectSchema({ id: id('member_card'), digest })),
  tokens: z.array(tolerantObjectSchema({ id: id('member_token'), public_key: z.string() })),
  /** Absent for a member without any. */
  magic_links: z.array(tolerantObjectSchema({ id: id('member_magic_link'), digest })).exactOptional(),
});

const knownEntry = z.discriminatedUnion('type', [
  device,
  peer,
  site,
  gadget,
  schedule,
  memberGroup,
  gadgetTrigger,
  member,
]);

export const snapshotEntryTypes = knownEntry.options.map(option => option.shape.type.value);

/** Entry of a type that only newer versions know. */
const foreignEntry = tolerantObjectSchema({
  type: z.string().refine(type => !(snapshotEntryTypes as string[]).includes(type), { error: 'is malformed' }),
  id: z.string(),
});

export const snapshotEntrySchema = z.union([knownEntry, foreignEntry]);
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;
export type SnapshotEntryOfKnownType = z.infer<typeof knownEntry>;
export type SnapshotEntryOf<T extends SnapshotEntryOfKnownType['type']> = Extract<
  SnapshotEntryOfKnownType,
  { type: T }
>;
export type SnapshotGadgetEntry = SnapshotEntryOf<'gadget'>;

/** Identifies an entry within a snapshot. */
export const snapshotEntryKeySchema = z.object({ type: z.string(), id: z.string() });
export type SnapshotEntryKey = z.infer<typeof snapshotEntryKeySchema>;
