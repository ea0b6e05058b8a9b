import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import * as z from 'zod';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/*
 * What a controller holds. Entries keep fields that this version does not know: the digest covers them, and whoever
 * reads an entry for a decision (`slice-reading.ts`) must not overlook a restriction that it does not understand.
 */

/** A slice is signed and holds members by the hundred thousand: types are checked, forms are the bridge's word. */
const id = <K extends IdKind>(_kind: K): z.ZodType<Id<K>, string> => z.string() as unknown as z.ZodType<Id<K>, string>;
const time = z.number() as unknown as z.ZodType<Instant, number>;

const bound = time.nullable();
const digest = z.string();
const named = tolerantObject({ id: z.string(), name: z.string() });

const device = tolerantObject({
  type: z.literal('device'),
  id: id('device'),
  site_id: id('site'),
  name: z.string(),
  input_rules: z.array(tolerantObject({ code: z.string(), gadget_id: id('gadget'), action_id: z.string() })),
});

/** Another controller of the site, whose requests are signed with this key. */
const peer = tolerantObject({
  type: z.literal('peer'),
  id: id('device'),
  serial: z.string(),
  public_key: z.string(),
  /** For a gateway, which shows it to people. */
  name: z.string().exactOptional(),
  /** For a gateway: all of the device's certificates that are in force. It may show any of them. */
  certificates: z.array(tolerantObject({ serial: z.string(), public_key: z.string() })).exactOptional(),
});

const site = tolerantObject({
  type: z.literal('site'),
  id: id('site'),
  name: z.string(),
  timezone: z.string().nullable(),
  geo: tolerantObject({
    location: tolerantObject({ lat: z.number(), lng: z.number() }),
    radius: z.number(),
  }).nullable(),
});

/** `created_at` is the order in which the first gadget is the first. */
const gadget = tolerantObject({
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

const schedule = tolerantObject({
  type: z.literal('schedule'),
  id: id('schedule'),
  weekdays: z.array(z.unknown()),
});

const memberGroup = tolerantObject({
  type: z.literal('member_group'),
  id: id('member_group'),
  permissions: z.array(z.unknown()),
});

const gadgetTrigger = tolerantObject({
  type: z.literal('gadget_trigger'),
  id: id('gadget_trigger'),
  site_id: id('site'),
  source_type: openEnum(['state', 'signal', 'schedule']),
  source_gadget_id: id('gadget').nullable(),
  source_state_id: z.string().nullable(),
  source_signal_id: z.string().nullable(),
  source_schedule_id: id('schedule').nullable(),
  source_schedule_event: openEnum(['enter', 'exit']).nullable(),
  target_gadget_id: id('gadget'),
  target_action_id: z.string(),
});

const member = tolerantObject({
  type: z.literal('member'),
  id: id('member'),
  is_deleted: z.boolean(),
  starts_at: bound,
  ends_at: bound,
  group_associations: z.array(
    tolerantObject({
      id: id('member_group_association'),
      member_group_id: id('member_group'),
      starts_at: bound,
      ends_at: bound,
    }),
  ),
  pins: z.array(tolerantObject({ id: id('member_pin'), digest, prefix_digests: z.array(digest).exactOptional() })),
  cards: z.array(tolerantObject({ id: id('member_card'), digest })),
  tokens: z.array(tolerantObject({ id: id('member_token'), public_key: z.string() })),
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

export const sliceTypes = knownEntry.options.map(option => option.shape.type.value);

/** Of a type that a newer bridge knows. */
const foreignEntry = tolerantObject({
  type: z.string().refine(type => !(sliceTypes as string[]).includes(type), { error: 'is malformed' }),
  id: z.string(),
});

export const sliceEntry = z.union([knownEntry, foreignEntry]);
export type SliceEntry = z.infer<typeof sliceEntry>;
export type KnownSliceEntry = z.infer<typeof knownEntry>;
export type SliceEntryOf<T extends KnownSliceEntry['type']> = Extract<KnownSliceEntry, { type: T }>;

/** An entry's own name within a slice. */
export const sliceKey = z.object({ type: z.string(), id: z.string() });
export type SliceKey = z.infer<typeof sliceKey>;
