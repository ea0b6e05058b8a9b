import { roles } from '@lintel/wire-protocol/admin/role';
import { cardCreate } from '@lintel/wire-protocol/rest/card';
import { deviceCreate } from '@lintel/wire-protocol/rest/device';
import { gadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { gadgetTriggerCreate } from '@lintel/wire-protocol/rest/gadget-trigger';
import { memberCreate } from '@lintel/wire-protocol/rest/member';
import { memberGroupCreate } from '@lintel/wire-protocol/rest/member-group';
import { metadataCreate } from '@lintel/wire-protocol/rest/metadata';
import { scheduleCreate } from '@lintel/wire-protocol/rest/schedule';
import { siteCreate } from '@lintel/wire-protocol/rest/site';
import { tagCreate } from '@lintel/wire-protocol/rest/tag';
import * as z from 'zod';
import { invalid } from '../http/api-error.ts';
import { type SeedFile, type SeedList, seedLists } from './seed-file.ts';

export const organizationFields = z.strictObject({
  name: z.string().min(1).max(200),
  whitelabel: z.boolean().default(false),
  metadata: metadataCreate,
});

export const userFields = z.strictObject({
  email: z.string(),
  password: z.string(),
  name: z.string().max(200).default(''),
  role: z.enum(roles).default('owner'),
});

export const applicationFields = z.strictObject({
  name: z.string().min(1).max(200),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  redirect_uris: z.array(z.string()).default([]),
  is_public: z.boolean().default(false),
});

interface Spelling {
  readonly schema: z.ZodObject;
  /** In place of the API's ids the file has keys. */
  readonly without?: readonly string[];
  readonly plus?: readonly string[];
}

const tagged = { without: ['tag_ids'], plus: ['tags'] };

const spellings: Readonly<Record<SeedList, Spelling>> = {
  users: { schema: userFields },
  applications: { schema: applicationFields },
  card_stock: { schema: cardCreate, without: ['id'] },
  tags: { schema: tagCreate },
  sites: { schema: siteCreate, ...tagged },
  devices: { schema: deviceCreate, without: ['site_id', 'gadgets', 'tag_ids'], plus: ['site', 'tags'] },
  gadgets: { schema: gadgetCreate, without: ['tag_ids'], plus: ['device', 'tags'] },
  schedules: { schema: scheduleCreate },
  member_groups: { schema: memberGroupCreate, ...tagged },
  members: { schema: memberCreate, without: ['tag_ids'], plus: ['groups', 'pins', 'cards', 'emails', 'tags'] },
  gadget_triggers: {
    schema: gadgetTriggerCreate,
    without: ['source_gadget_id', 'source_schedule_id', 'target_gadget_id'],
    plus: ['source_gadget', 'source_schedule', 'target_gadget'],
  },
};

/** Also of what is there already and will be left alone: a mistyped field must not pass because the file is old. */
export const refuseUnknownFields = ({ lists }: SeedFile): void => {
  for (const list of seedLists) {
    const { schema, without = [], plus = [] } = spellings[list];
    const known = new Set([...Object.keys(schema.shape).filter(field => !without.includes(field)), ...plus]);
    for (const { path, fields } of lists[list]) {
      const unknown = Object.keys(fields).find(field => !known.has(field));
      if (unknown !== undefined) throw invalid(`${path}.${unknown}`, `${path}.${unknown} is not a known field`);
    }
  }
};
