import * as z from 'zod';
import { createBodySchema } from '../schema-parts/create-body-schema.ts';
import { organizationResponse } from '../rest/organization.ts';
import { metadataCreateSchema, metadataPatchSchema } from '../rest/metadata.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { adminPermissions } from './permission.ts';
import { roles } from './role.ts';

/** `features` are optional features, which the operator grants; `role` and `permissions` are those of the requesting user. */
export const administeredOrganizationResponse = tolerantObjectSchema({
  ...organizationResponse.shape,
  features: tolerantObjectSchema({ whitelabel: z.boolean() }),
  role: openEnumSchema(roles),
  permissions: z.array(openEnumSchema(adminPermissions)),
});
export type AdministeredOrganizationResponse = z.infer<typeof administeredOrganizationResponse>;

export const createOrganizationRequest = createBodySchema({ name: nameTextSchema(1), metadata: metadataCreateSchema });
export type CreateOrganizationRequest = z.infer<typeof createOrganizationRequest>;

export const editOrganizationRequest = z.strictObject({
  name: nameTextSchema(1).optional(),
  metadata: metadataPatchSchema.optional(),
});
export type EditOrganizationRequest = z.infer<typeof editOrganizationRequest>;
