import { cardCreate } from '@lintel/wire-protocol/rest/card';
import type { DeviceCreate } from '@lintel/wire-protocol/rest/device';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { gadgetTriggerCreate } from '@lintel/wire-protocol/rest/gadget-trigger';
import { memberCreate } from '@lintel/wire-protocol/rest/member';
import { memberCardCreate } from '@lintel/wire-protocol/rest/member-card';
import { memberEmailCreate } from '@lintel/wire-protocol/rest/member-email';
import { memberGroupCreate } from '@lintel/wire-protocol/rest/member-group';
import { memberGroupAssociationCreate } from '@lintel/wire-protocol/rest/member-group-association';
import { memberPinCreate } from '@lintel/wire-protocol/rest/member-pin';
import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { scheduleCreate } from '@lintel/wire-protocol/rest/schedule';
import type { SiteCreate } from '@lintel/wire-protocol/rest/site';
import { tagCreate } from '@lintel/wire-protocol/rest/tag';
import type * as z from 'zod';
import { orThrow } from '../http/api-error.ts';
import { createCard } from '../resources/cards.ts';
import { createDevice, editDevice } from '../resources/devices.ts';
import { createGadget } from '../resources/gadgets.ts';
import { createGadgetTrigger } from '../resources/gadget-triggers.ts';
import { createGroupAssociation } from '../resources/group-associations.ts';
import { createMemberCard } from '../resources/member-cards.ts';
import { createMemberEmail } from '../resources/member-emails.ts';
import { createMemberGroup } from '../resources/member-groups.ts';
import { createMemberPin } from '../resources/member-pins.ts';
import { createMember } from '../resources/members.ts';
import { createSchedule } from '../resources/schedules.ts';
import { createSite } from '../resources/sites.ts';
import { createTag } from '../resources/tags.ts';
import { insertRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { fieldsAt, listAt, replaceKey, type SeedIds, withTags } from './references.ts';
import type { SeedEntry } from './seed-file.ts';
import { inOwnPlaces, under } from './seed-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the API takes, judged by the API's own schema. */
const bodyOf = <S extends z.ZodType>(schema: S, fields: Fields): z.output<S> => orThrow(parseRequest(schema, fields));

export const makeTag = async (context: WriteContext, { fields }: SeedEntry): Promise<string> =>
  (await createTag(context, bodyOf(tagCreate, fields))).id;

/** A card of the maker's, which no organization has yet: it is taken by its id or by what is printed on it. */
export const makeStockCard = async (context: WriteContext, { fields }: SeedEntry): Promise<string> => {
  const { uid = null, printed_code = null, name, metadata } = bodyOf(cardCreate, fields);
  const id = context.newId('card');
  await insertRow(context, 'cards', {
    id,
    organization_id: null,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(metadata),
    name,
    uid,
    printed_code,
  });
  return id;
};

export const makeSite = async (context: WriteContext, entry: SeedEntry, ids: SeedIds): Promise<string> =>
  (await createSite(context, withTags(entry, ids) as unknown as SiteCreate)).id;

export const makeSchedule = async (context: WriteContext, { fields }: SeedEntry): Promise<string> =>
  (await createSchedule(context, bodyOf(scheduleCreate, fields))).id;

export interface MadeDevice {
  readonly id: string;
  readonly gadgetIds: readonly string[];
}

/** With its gadgets, because some products must not be without; its input rules follow, when all gadgets are known. */
export const makeDevice = async (
  context: WriteContext,
  entry: SeedEntry,
  gadgets: readonly SeedEntry[],
  ids: SeedIds,
): Promise<MadeDevice> => {
  const { input_rules: _, ...fields } = withTags(entry, ids);
  const body = {
    product_id: 'virtual',
    ...replaceKey(fields, 'site', 'site_id', ids, entry.path),
    gadgets: gadgets.map(gadget => {
      const { device: _device, ...rest } = withTags(gadget, ids);
      return rest;
    }),
  };
  const made = await inOwnPlaces(gadgets, () => createDevice(context, body as unknown as DeviceCreate));
  return { id: made.device.id, gadgetIds: made.gadgets.map(gadget => gadget.id) };
};

/** A further gadget of a device that has been there before. */
export const makeGadget = async (context: WriteContext, entry: SeedEntry, ids: SeedIds): Promise<string> => {
  const { device, ...fields } = withTags(entry, ids);
  const deviceId = ids.require(device, `${entry.path}.device`);
  return (await createGadget(context, deviceId, fields as unknown as GadgetCreate)).id;
};

export const makeInputRules = async (context: WriteContext, entry: SeedEntry, ids: SeedIds): Promise<void> => {
  const path = `${entry.path}.input_rules`;
  const rules = listAt(entry.fields['input_rules'], path).map((rule, index) =>
    replaceKey(fieldsAt(rule, `${path}.${index}`), 'gadget', 'gadget_id', ids, `${path}.${index}`),
  );
  if (rules.length === 0) return;
  await under(entry.path, () => editDevice(context, ids.require(entry.key, entry.path), { input_rules: rules }));
};

const ruleOf = (rule: unknown, path: string, ids: SeedIds): Fields => {
  const names = { site: 'site_id', gadget: 'gadget_id', schedule: 'schedule_id', group: 'member_group_id' };
  return Object.entries(names).reduce(
    (fields, [name, field]) => replaceKey(fields, name, field, ids, path),
    fieldsAt(rule, path),
  );
};

/** The groups that this one's rules inherit from, by key. */
export const inheritedKeys = ({ fields, path }: SeedEntry): string[] =>
  listAt(fields['permissions'], `${path}.permissions`).flatMap(rule => {
    const group = (rule as Fields | null)?.['group'];
    return typeof group === 'string' ? [group] : [];
  });

export const makeMemberGroup = async (context: WriteContext, entry: SeedEntry, ids: SeedIds): Promise<string> => {
  const { permissions, ...fields } = withTags(entry, ids);
  const path = `${entry.path}.permissions`;
  const rules = listAt(permissions, path).map((rule, index) => ruleOf(rule, `${path}.${index}`, ids));
  return (await createMemberGroup(context, bodyOf(memberGroupCreate, { ...fields, permissions: rules }))).id;
};

export const makeMember = async (context: WriteContext, entry: SeedEntry, ids: SeedIds): Promise<string> => {
  const { groups, pins, cards, emails, ...fields } = withTags(entry, ids);
  const { id } = await createMember(context, bodyOf(memberCreate, fields));
  const { path } = entry;
  const each = async (name: string, list: unknown, make: (value: unknown, at: string) => Promise<unknown>) => {
    for (const [index, value] of listAt(list, `${path}.${name}`).entries()) {
      const at = `${path}.${name}.${index}`;
      await under(at, () => make(value, at));
    }
  };
  await each('groups', groups, (key, at) => {
    const body = { member_group_id: ids.require(key, at) };
    return createGroupAssociation(context, id, bodyOf(memberGroupAssociationCreate, body));
  });
  await each('pins', pins, pin => createMemberPin(context, id, bodyOf(memberPinCreate, { pin })));
  await each('emails', emails, email => createMemberEmail(context, id, bodyOf(memberEmailCreate, { email })));
  await each('cards', cards, (card, at) => makeCard(context, id, fieldsAt(card, at)));
  return id;
};

/** A card that says more of itself than its number is made first, and then given to the member. */
const makeCard = async (context: WriteContext, memberId: string, fields: Fields): Promise<void> => {
  const isPlain = Object.keys(fields).length === 1;
  const body = isPlain ? fields : { card_id: (await createCard(context, bodyOf(cardCreate, fields))).id };
  await createMemberCard(context, memberId, bodyOf(memberCardCreate, body));
};

export const makeGadgetTrigger = async (context: WriteContext, entry: SeedEntry, ids: SeedIds): Promise<string> => {
  const names = {
    source_gadget: 'source_gadget_id',
    source_schedule: 'source_schedule_id',
    target_gadget: 'target_gadget_id',
  };
  const fields = Object.entries(names).reduce<Fields>(
    (sofar, [name, field]) => replaceKey(sofar, name, field, ids, entry.path),
    entry.fields,
  );
  return (await createGadgetTrigger(context, bodyOf(gadgetTriggerCreate, fields))).id;
};
