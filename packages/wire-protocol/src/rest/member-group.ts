import { accessMethods } from '@lintel/access-core/access-data-types';
import { parsePermissionRules } from '@lintel/access-core/permission/parse-permission-rules';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const ruleFields = {
  site_id: idSchema('site').nullish(),
  gadget_id: idSchema('gadget').nullish(),
  action_id: z.string().nullish(),
  schedule_id: idSchema('schedule').nullish(),
  member_group_id: idSchema('member_group').nullish(),
};

const permissionRule = tolerantObjectSchema({
  ...ruleFields,
  presence: openEnumSchema(['none', 'gps'], 'presence').nullish(),
  access_methods: tolerantObjectSchema(
    Object.fromEntries(accessMethods.map(method => [method, z.boolean().optional()])),
  )
    .meta({ title: 'access_methods' })
    .nullish(),
}).meta({ title: 'member_group_permission_rule' });

const permissionRuleShape = z
  .strictObject({
    ...ruleFields,
    presence: z.enum(['none', 'gps']).meta({ title: 'presence' }).nullish(),
    access_methods: z
      .partialRecord(z.enum(accessMethods), z.boolean())
      .meta({ title: 'access_methods_input' })
      .nullish(),
  })
  .meta({ title: 'member_group_permission_rule_input' });

export const memberGroupResponseSchema = tolerantObjectSchema({
  id: idSchema('member_group'),
  organization_id: idSchema('organization'),
  name: z.string(),
  permissions: z.array(permissionRule),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
  tag_ids: tagIdsSchema,
});
export type MemberGroupResponse = z.infer<typeof memberGroupResponseSchema>;

const permissions = schemaFromParser(z.array(permissionRuleShape), parsePermissionRules);

export const createMemberGroupRequestSchema = createPostBodySchema({
  name: nameTextSchema().default(''),
  permissions: permissions.default([]),
  ...metadataAndTagCreateFields,
});
export type CreateMemberGroupRequest = z.infer<typeof createMemberGroupRequestSchema>;

export const editMemberGroupRequestSchema = z.strictObject({
  name: nameTextSchema().optional(),
  permissions: permissions.optional(),
  ...metadataAndTagEditFields,
});
export type EditMemberGroupRequest = z.infer<typeof editMemberGroupRequestSchema>;
