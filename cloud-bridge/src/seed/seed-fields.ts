import { findClosestName } from '@lintel/wire-protocol/schema-parts/closest-name';
import { isUnknownField } from '@lintel/access-core/problem-texts';
import { roles } from '@lintel/wire-protocol/admin/role';
import { createCardRequestSchema } from '@lintel/wire-protocol/rest/card';
import { createDeviceRequestSchema } from '@lintel/wire-protocol/rest/device';
import { createGadgetRequestSchema } from '@lintel/wire-protocol/rest/gadget';
import { createGadgetTriggerRequestSchema } from '@lintel/wire-protocol/rest/gadget-trigger';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { metadataCreateSchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { createScheduleRequestSchema } from '@lintel/wire-protocol/rest/schedule';
import { createSiteRequestSchema } from '@lintel/wire-protocol/rest/site';
import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import * as z from 'zod';
import { createInvalidFieldError } from '../http/api-error.ts';
import { type SeedFile, type SeedListName, seedListNames } from './seed-file.ts';

export const seedOrganizationSchema = z.strictObject({
  name: z.string().min(1).max(200),
  whitelabel: z.boolean().default(false),
  metadata: metadataCreateSchema,
});

export const seedUserSchema = z.strictObject({
  email: z.string(),
  password: z.string(),
  name: z.string().max(200).default(''),
  role: z.enum(roles).default('owner'),
});

export const seedOAuthApplicationSchema = z.strictObject({
  name: z.string().min(1).max(200),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  redirect_uris: z.array(z.string()).default([]),
  is_public: z.boolean().default(false),
});

interface ListFields {
  readonly schema: z.ZodObject;
  /** Fields of the API that the file replaces with keys, and the fields with those keys. */
  readonly omitted?: readonly string[];
  readonly added?: readonly string[];
}

const tagged = { omitted: ['tag_ids'], added: ['tags'] };

const fieldsByList: Readonly<Record<SeedListName, ListFields>> = {
  users: { schema: seedUserSchema },
  applications: { schema: seedOAuthApplicationSchema },
  card_stock: { schema: createCardRequestSchema, omitted: ['id'] },
  tags: { schema: createTagRequestSchema },
  sites: { schema: createSiteRequestSchema, ...tagged },
  devices: { schema: createDeviceRequestSchema, omitted: ['site_id', 'gadgets', 'tag_ids'], added: ['site', 'tags'] },
  gadgets: { schema: createGadgetRequestSchema, omitted: ['tag_ids'], added: ['device', 'tags'] },
  schedules: { schema: createScheduleRequestSchema },
  member_groups: { schema: createMemberGroupRequestSchema, ...tagged },
  members: {
    schema: createMemberRequestSchema,
    omitted: ['tag_ids'],
    added: ['groups', 'pins', 'cards', 'emails', 'tags'],
  },
  gadget_triggers: {
    schema: createGadgetTriggerRequestSchema,
    omitted: ['source_gadget_id', 'source_schedule_id', 'target_gadget_id'],
    added: ['source_gadget', 'source_schedule', 'target_gadget'],
  },
};

/** Also checks entries that already exist and are not changed, so that a misspelled field is always reported. */
export const rejectUnknownSeedFields = ({ lists }: SeedFile): void => {
  for (const list of seedListNames) {
    const { schema, omitted = [], added = [] } = fieldsByList[list];
    const known = new Set([...Object.keys(schema.shape).filter(field => !omitted.includes(field)), ...added]);
    for (const { path, fields } of lists[list]) {
      const unknown = Object.keys(fields).find(field => !known.has(field));
      if (unknown !== undefined)
        throw createInvalidFieldError(`${path}.${unknown}`, isUnknownField(findClosestName([...known], unknown)));
    }
  }
};
