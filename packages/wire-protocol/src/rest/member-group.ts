import { parsePermissionRules } from '@lintel/access-core/permission/parse-permission-rules';
import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { nameText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { accessMethods } from './access-method.ts';
import { metadata, metadataCreate, metadataPatch, tagIds, tagIdsEdit } from './metadata.ts';

const ruleFields = {
  site_id: idSchema('site').nullish(),
  gadget_id: idSchema('gadget').nullish(),
  action_id: z.string().nullish(),
  schedule_id: idSchema('schedule').nullish(),
  member_group_id: idSchema('member_group').nullish(),
};

const permissionRule = tolerantObject({
  ...ruleFields,
  presence: openEnum(['none', 'gps']).nullish(),
  access_methods: z.record(z.string(), z.boolean()).nullish(),
});

const permissionRuleShape = z.strictObject({
  ...ruleFields,
  presence: z.enum(['none', 'gps']).nullish(),
  access_methods: z.partialRecord(z.enum(accessMethods), z.boolean()).nullish(),
});

export const memberGroupResponse = tolerantObject({
  id: idSchema('member_group'),
  organization_id: idSchema('organization'),
  name: z.string(),
  permissions: z.array(permissionRule),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
  tag_ids: tagIds,
});
export type MemberGroupResponse = z.infer<typeof memberGroupResponse>;

const permissions = schemaFromParser(z.array(permissionRuleShape), parsePermissionRules);

export const memberGroupCreate = createObject({
  name: nameText().default(''),
  permissions: permissions.default([]),
  metadata: metadataCreate,
  tag_ids: tagIdsEdit.default([]),
});
export type MemberGroupCreate = z.infer<typeof memberGroupCreate>;

export const memberGroupEdit = z.strictObject({
  name: nameText().optional(),
  permissions: permissions.optional(),
  metadata: metadataPatch.optional(),
  tag_ids: tagIdsEdit.optional(),
});
export type MemberGroupEdit = z.infer<typeof memberGroupEdit>;
