import { createCardRequestSchema } from '@lintel/wire-protocol/rest/card';
import type { CreateDeviceRequest } from '@lintel/wire-protocol/rest/device';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { createGadgetTriggerRequestSchema } from '@lintel/wire-protocol/rest/gadget-trigger';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberCardRequestSchema } from '@lintel/wire-protocol/rest/member-card';
import { createMemberEmailRequestSchema } from '@lintel/wire-protocol/rest/member-email';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createMemberGroupAssociationRequestSchema } from '@lintel/wire-protocol/rest/member-group-association';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import { createScheduleRequestSchema } from '@lintel/wire-protocol/rest/schedule';
import type { CreateSiteRequest } from '@lintel/wire-protocol/rest/site';
import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import type * as z from 'zod';
import { unwrapOrThrow } from '../http/api-error.ts';
import { insertStockCard } from '../resources/card-stock.ts';
import { createOrAssignCard } from '../resources/cards.ts';
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
import type { WriteContext } from '../transactions/organization-writer.ts';
import {
  requireSeedFields,
  requireSeedList,
  replaceSeedKeyWithId,
  type SeedKeyResolver,
  replaceSeedTagKeysWithIds,
} from './seed-references.ts';
import type { SeedEntry } from './seed-file.ts';
import { withSeedGadgetErrorPaths, withSeedErrorPath } from './seed-error-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Parses the fields with the schema of the API. */
const parseBody = <S extends z.ZodType>(schema: S, fields: Fields): z.output<S> =>
  unwrapOrThrow(parseRequestBody(schema, fields));

export const seedTag = async (context: WriteContext, { fields }: SeedEntry): Promise<string> =>
  (await createTag(context, parseBody(createTagRequestSchema, fields))).id;

/** A stock card for this organization, which members can be given by its id or its printed code. */
export const seedStockCard = async (context: WriteContext, { fields }: SeedEntry): Promise<string> => {
  const { uid = null, printed_code = null, name, metadata } = parseBody(createCardRequestSchema, fields);
  return insertStockCard(context, { uid, printed_code, name, metadata: JSON.stringify(metadata) });
};

export const seedSite = async (context: WriteContext, entry: SeedEntry, ids: SeedKeyResolver): Promise<string> =>
  (await createSite(context, replaceSeedTagKeysWithIds(entry, ids) as unknown as CreateSiteRequest)).id;

export const seedSchedule = async (context: WriteContext, { fields }: SeedEntry): Promise<string> =>
  (await createSchedule(context, parseBody(createScheduleRequestSchema, fields))).id;

export interface SeededDevice {
  readonly id: string;
  readonly gadgetIds: readonly string[];
}

/** Creates the device with its gadgets, because some products require them. Input rules follow when all gadgets exist. */
export const seedDevice = async (
  context: WriteContext,
  entry: SeedEntry,
  gadgets: readonly SeedEntry[],
  ids: SeedKeyResolver,
): Promise<SeededDevice> => {
  const { input_rules: _, ...fields } = replaceSeedTagKeysWithIds(entry, ids);
  const body = {
    product_id: 'virtual',
    ...replaceSeedKeyWithId(fields, 'site', 'site_id', ids, entry.path),
    gadgets: gadgets.map(gadget => {
      const { device: _device, ...rest } = replaceSeedTagKeysWithIds(gadget, ids);
      return rest;
    }),
  };
  const created = await withSeedGadgetErrorPaths(gadgets, () =>
    createDevice(context, body as unknown as CreateDeviceRequest),
  );
  return { id: created.device.id, gadgetIds: created.gadgets.map(gadget => gadget.id) };
};

/** Adds a gadget to a device that already exists. */
export const seedGadget = async (context: WriteContext, entry: SeedEntry, ids: SeedKeyResolver): Promise<string> => {
  const { device, ...fields } = replaceSeedTagKeysWithIds(entry, ids);
  const deviceId = ids.resolve(device, `${entry.path}.device`);
  return (await createGadget(context, deviceId, fields as unknown as CreateGadgetRequest)).id;
};

export const seedInputRules = async (context: WriteContext, entry: SeedEntry, ids: SeedKeyResolver): Promise<void> => {
  const path = `${entry.path}.input_rules`;
  const rules = requireSeedList(entry.fields['input_rules'], path).map((rule, index) =>
    replaceSeedKeyWithId(requireSeedFields(rule, `${path}.${index}`), 'gadget', 'gadget_id', ids, `${path}.${index}`),
  );
  if (rules.length === 0) return;
  await withSeedErrorPath(entry.path, () =>
    editDevice(context, ids.resolve(entry.key, entry.path), { input_rules: rules }),
  );
};

const toPermissionRule = (rule: unknown, path: string, ids: SeedKeyResolver): Fields => {
  const names = { site: 'site_id', gadget: 'gadget_id', schedule: 'schedule_id', group: 'member_group_id' };
  return Object.entries(names).reduce(
    (fields, [name, field]) => replaceSeedKeyWithId(fields, name, field, ids, path),
    requireSeedFields(rule, path),
  );
};

/** The keys of the groups from which the rules of this group inherit. */
export const listInheritedSeedGroupKeys = ({ fields, path }: SeedEntry): string[] =>
  requireSeedList(fields['permissions'], `${path}.permissions`).flatMap(rule => {
    const group = (rule as Fields | null)?.['group'];
    return typeof group === 'string' ? [group] : [];
  });

export const seedMemberGroup = async (
  context: WriteContext,
  entry: SeedEntry,
  ids: SeedKeyResolver,
): Promise<string> => {
  const { permissions, ...fields } = replaceSeedTagKeysWithIds(entry, ids);
  const path = `${entry.path}.permissions`;
  const rules = requireSeedList(permissions, path).map((rule, index) =>
    toPermissionRule(rule, `${path}.${index}`, ids),
  );
  return (
    await createMemberGroup(context, parseBody(createMemberGroupRequestSchema, { ...fields, permissions: rules }))
  ).id;
};

export const seedMember = async (context: WriteContext, entry: SeedEntry, ids: SeedKeyResolver): Promise<string> => {
  const { groups, pins, cards, emails, ...fields } = replaceSeedTagKeysWithIds(entry, ids);
  const { id } = await createMember(context, parseBody(createMemberRequestSchema, fields));
  const { path } = entry;
  const forEachValue = async (
    name: string,
    list: unknown,
    create: (value: unknown, valuePath: string) => Promise<unknown>,
  ) => {
    for (const [index, value] of requireSeedList(list, `${path}.${name}`).entries()) {
      const valuePath = `${path}.${name}.${index}`;
      await withSeedErrorPath(valuePath, () => create(value, valuePath));
    }
  };
  await forEachValue('groups', groups, (key, valuePath) => {
    const body = { member_group_id: ids.resolve(key, valuePath) };
    return createGroupAssociation(context, id, parseBody(createMemberGroupAssociationRequestSchema, body));
  });
  await forEachValue('pins', pins, pin =>
    createMemberPin(context, id, parseBody(createMemberPinRequestSchema, { pin })),
  );
  await forEachValue('emails', emails, email =>
    createMemberEmail(context, id, parseBody(createMemberEmailRequestSchema, { email })),
  );
  await forEachValue('cards', cards, (card, valuePath) =>
    seedMemberCard(context, id, requireSeedFields(card, valuePath)),
  );
  return id;
};

/** A card with more fields than its number is created first and then given to the member. */
const seedMemberCard = async (context: WriteContext, memberId: string, fields: Fields): Promise<void> => {
  const isPlain = Object.keys(fields).length === 1;
  const body = isPlain
    ? fields
    : { card_id: (await createOrAssignCard(context, parseBody(createCardRequestSchema, fields))).id };
  await createMemberCard(context, memberId, parseBody(createMemberCardRequestSchema, body));
};

export const seedGadgetTrigger = async (
  context: WriteContext,
  entry: SeedEntry,
  ids: SeedKeyResolver,
): Promise<string> => {
  const names = {
    source_gadget: 'source_gadget_id',
    source_schedule: 'source_schedule_id',
    target_gadget: 'target_gadget_id',
  };
  const fields = Object.entries(names).reduce<Fields>(
    (fields, [name, field]) => replaceSeedKeyWithId(fields, name, field, ids, entry.path),
    entry.fields,
  );
  return (await createGadgetTrigger(context, parseBody(createGadgetTriggerRequestSchema, fields))).id;
};
