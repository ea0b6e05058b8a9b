import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { organizationResponse } from '../rest/organization.ts';
import { metadataCreate, metadataPatch } from '../rest/metadata.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { nameText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { roles } from './role.ts';

/** `features` are optional features, which the operator grants; `role` is the role of the requesting user. */
export const administeredOrganizationResponse = tolerantObject({
  ...organizationResponse.shape,
  features: tolerantObject({ whitelabel: z.boolean() }),
  role: openEnum(roles),
});
export type AdministeredOrganizationResponse = z.infer<typeof administeredOrganizationResponse>;

export const organizationCreate = createObject({ name: nameText(1), metadata: metadataCreate });
export type OrganizationCreate = z.infer<typeof organizationCreate>;

export const organizationEdit = z.strictObject({
  name: nameText(1).optional(),
  metadata: metadataPatch.optional(),
});
export type OrganizationEdit = z.infer<typeof organizationEdit>;
