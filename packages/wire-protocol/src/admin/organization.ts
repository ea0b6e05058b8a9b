import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { organizationResponseSchema } from '../rest/organization.ts';
import { metadataCreateSchema, metadataPatchSchema } from '../rest/metadata-and-tags.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { adminPermissions } from '../permissions/admin-permissions.ts';
import { roles } from './role.ts';

/** `features` are optional features, which the operator grants; `role` and `permissions` are those of the requesting user. */
export const administeredOrganizationResponseSchema = tolerantObjectSchema({
  ...organizationResponseSchema.shape,
  features: tolerantObjectSchema({ whitelabel: z.boolean() }),
  role: openEnumSchema(roles),
  permissions: z.array(openEnumSchema(adminPermissions)),
  /** Controllers that technicians claim get members without a confirmation. Absent in responses of older bridges. */
  technicians_activate_controllers: z.boolean().optional(),
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
});
export type EditOrganizationRequest = z.infer<typeof editOrganizationRequestSchema>;
