import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { organizationResponseSchema } from '../rest/organization.ts';
import { metadataCreateSchema, metadataPatchSchema } from '../rest/metadata-and-tags.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { adminPermissions } from '../permissions/admin-permissions.ts';
import { roles } from './role.ts';

/**
 * Whether the guest page shows PINs with what to type at each door: `off`, only with a connection, or also without one.
 * With `offline`, the phone of a guest keeps them from when the guest has looked at them.
 */
export const guestPinSettings = ['off', 'online', 'offline'] as const;

/** `features` are optional features, which the operator grants; `role` and `permissions` are those of the requesting user. */
export const administeredOrganizationResponseSchema = tolerantObjectSchema({
  ...organizationResponseSchema.shape,
  features: tolerantObjectSchema({
    whitelabel: z.boolean().describe('Whether applications may perform gadget actions'),
  }).describe('Optional features, which the operator grants'),
  role: openEnumSchema(roles).describe('Role of the user in the organization'),
  permissions: z
    .array(openEnumSchema(adminPermissions).describe('A permission of a role'))
    .describe('What the caller may do'),
  technicians_activate_controllers: z
    .boolean()
    .describe('true: controllers that technicians claim get members without a confirmation'),
  guest_contact_name: z.string().nullable().describe('Whom guests call. Null: the name of the organization'),
  guest_contact_phone: z.string().nullable().describe('Phone number for guests. Null: that of a site'),
  guest_pins: openEnumSchema(guestPinSettings).describe(
    'Whether the guest page shows PINs. off: no. online: with a connection only. offline: also without one, once the guest has looked at them',
  ),
}).describe('An organization of the caller');
export type AdministeredOrganizationResponse = z.infer<typeof administeredOrganizationResponseSchema>;

export const createOrganizationRequestSchema = createPostBodySchema({
  name: nameTextSchema(1).describe('Name of the organization, 1 to 200 characters'),
  metadata: metadataCreateSchema,
});
export type CreateOrganizationRequest = z.infer<typeof createOrganizationRequestSchema>;

export const editOrganizationRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the organization, 1 to 200 characters'),
  metadata: metadataPatchSchema.optional(),
  technicians_activate_controllers: z
    .boolean()
    .optional()
    .describe('true: controllers that technicians claim get members without a confirmation'),
  guest_contact_name: nameTextSchema()
    .nullable()
    .optional()
    .describe('Whom guests call, at most 200 characters. Null: the name of the organization'),
  guest_contact_phone: plainTextSchema(50)
    .nullable()
    .optional()
    .describe('Phone number for guests, at most 50 characters. Null: that of a site'),
  guest_pins: z
    .enum(guestPinSettings)
    .optional()
    .describe(
      'Whether the guest page shows PINs. off: no. online: with a connection only. offline: also without one, once the guest has looked at them',
    ),
});
export type EditOrganizationRequest = z.infer<typeof editOrganizationRequestSchema>;
