import { accessMethods } from '@lintel/access-core/access-data-types';
import { parsePermissionRules } from '@lintel/access-core/permission/parse-permission-rules';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const ruleFields = {
  site_id: idSchema('site')
    .nullish()
    .describe('Matches only gadgets of this site. Not together with gadget_id. Null or absent: every site'),
  gadget_id: idSchema('gadget')
    .nullish()
    .describe('Matches only this gadget. Not together with site_id. Null or absent: every gadget'),
  action_id: z
    .string()
    .nullish()
    .describe(
      'Matches only this action. Requires gadget_id. Use one rule for each action. Null or absent: every action',
    ),
  schedule_id: idSchema('schedule')
    .nullish()
    .describe('Matches only while the local time of the site is within this schedule. Null or absent: at all times'),
  member_group_id: idSchema('member_group')
    .nullish()
    .describe(
      'Grants the permissions of this group, each with the restrictions of this rule in addition. Null or absent: none',
    ),
};

const RULE =
  'Allows actions that match its target, if all its restrictions pass. {} matches every action of every gadget';
const PRESENCE =
  'gps: an action through the internet requires the phone to be within the radius of the site. none: from anywhere. PIN, card, NFC and Bluetooth count as present. Null or absent: none';
const METHODS =
  'Allowed access methods: online (through the cloud), bluetooth, mobile_nfc (phone), pin, card. Null or absent: all';
/** Of one access method. */
const isAllowedSchema = z.boolean().describe('Whether this access method is allowed. Absent: not allowed');

const permissionRule = tolerantObjectSchema({
  ...ruleFields,
  presence: openEnumSchema(['none', 'gps'], 'presence').nullish().describe(PRESENCE),
  access_methods: tolerantObjectSchema(
    Object.fromEntries(accessMethods.map(method => [method, isAllowedSchema.optional()])),
  )
    .meta({ title: 'access_methods' })
    .nullish()
    .describe(METHODS),
}).meta({ title: 'member_group_permission_rule', description: RULE });

const permissionRuleShape = z
  .strictObject({
    ...ruleFields,
    presence: z.enum(['none', 'gps']).meta({ title: 'presence' }).nullish().describe(PRESENCE),
    access_methods: z
      .partialRecord(z.enum(accessMethods), isAllowedSchema)
      .meta({ title: 'access_methods_input' })
      .nullish()
      .describe(METHODS),
  })
  .meta({
    title: 'member_group_permission_rule_input',
    description: RULE,
    not: { required: ['site_id', 'gadget_id'] },
    dependentRequired: { action_id: ['gadget_id'] },
  });

export const memberGroupResponseSchema = tolerantObjectSchema({
  id: idSchema('member_group'),
  organization_id: idSchema('organization'),
  name: z.string().describe('Name of the group'),
  permissions: z
    .array(permissionRule)
    .describe('Rules of the group. Access is granted if one rule of one group of the member matches'),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
  tag_ids: tagIdsSchema,
}).describe('Permission rules that members share. Members belong to it through group associations');
export type MemberGroupResponse = z.infer<typeof memberGroupResponseSchema>;

const permissions = schemaFromParser(z.array(permissionRuleShape), parsePermissionRules);

export const createMemberGroupRequestSchema = createPostBodySchema({
  name: nameTextSchema().default('').describe('Name of the group, at most 200 characters'),
  permissions: permissions
    .default([])
    .describe('Rules of the group, at most 1000. They replace the existing ones. {} matches every gadget'),
  ...metadataAndTagCreateFields,
});
export type CreateMemberGroupRequest = z.infer<typeof createMemberGroupRequestSchema>;

export const editMemberGroupRequestSchema = z.strictObject({
  name: nameTextSchema().optional().describe('Name of the group, at most 200 characters'),
  permissions: permissions
    .optional()
    .describe('Rules of the group, at most 1000. They replace the existing ones. {} matches every gadget'),
  ...metadataAndTagEditFields,
});
export type EditMemberGroupRequest = z.infer<typeof editMemberGroupRequestSchema>;
