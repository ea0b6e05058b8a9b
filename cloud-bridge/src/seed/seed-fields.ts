import { roles } from '@lintel/wire-protocol/admin/role';
import { createCardRequest } from '@lintel/wire-protocol/rest/card';
import { createDeviceRequest } from '@lintel/wire-protocol/rest/device';
import { createGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { createGadgetTriggerRequest } from '@lintel/wire-protocol/rest/gadget-trigger';
import { createMemberRequest } from '@lintel/wire-protocol/rest/member';
import { createMemberGroupRequest } from '@lintel/wire-protocol/rest/member-group';
import { metadataCreateSchema } from '@lintel/wire-protocol/rest/metadata';
import { createScheduleRequest } from '@lintel/wire-protocol/rest/schedule';
import { createSiteRequest } from '@lintel/wire-protocol/rest/site';
import { createTagRequest } from '@lintel/wire-protocol/rest/tag';
import * as z from 'zod';
import { invalidFieldError } from '../http/api-error.ts';
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

export const seedApplicationSchema = z.strictObject({
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
  applications: { schema: seedApplicationSchema },
  card_stock: { schema: createCardRequest, omitted: ['id'] },
  tags: { schema: createTagRequest },
  sites: { schema: createSiteRequest, ...tagged },
  devices: { schema: createDeviceRequest, omitted: ['site_id', 'gadgets', 'tag_ids'], added: ['site', 'tags'] },
  gadgets: { schema: createGadgetRequest, omitted: ['tag_ids'], added: ['device', 'tags'] },
  schedules: { schema: createScheduleRequest },
  member_groups: { schema: createMemberGroupRequest, ...tagged },
  members: { schema: createMemberRequest, omitted: ['tag_ids'], added: ['groups', 'pins', 'cards', 'emails', 'tags'] },
  gadget_triggers: {
    schema: createGadgetTriggerRequest,
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
      if (unknown !== undefined) throw invalidFieldError(`${path}.${unknown}`, `Unknown field: ${path}.${unknown}`);
    }
  }
};
