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
  features: tolerantObjectSchema({ whitelabel: z.boolean() }),
  role: openEnumSchema(roles),
  permissions: z.array(openEnumSchema(adminPermissions)),
  /** Controllers that technicians claim get members without a confirmation. */
  technicians_activate_controllers: z.boolean(),
  /** Whom guests call. Null: the name of the organization, and the telephone number of a site. */
  guest_contact_name: z.string().nullable(),
  guest_contact_phone: z.string().nullable(),
  guest_pins: openEnumSchema(guestPinSettings),
});
export type AdministeredOrganizationResponse = z.infer<typeof administeredOrganizationResponseSchema>;

export const createOrganizationRequestSchema = createPostBodySchema({
  name: nameTextSchema(1),
  metadata: metadataCreateSchema,
});
export type CreateOrganizationRequest = z.infer<typeof createOrganizationRequestSchema>;

export const editOrganizationRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  metadata: metadataPatchSchema.optional(),
  technicians_activate_controllers: z.boolean().optional(),
  guest_contact_name: nameTextSchema().nullable().optional(),
  guest_contact_phone: plainTextSchema(50).nullable().optional(),
  guest_pins: z.enum(guestPinSettings).optional(),
});
export type EditOrganizationRequest = z.infer<typeof editOrganizationRequestSchema>;
