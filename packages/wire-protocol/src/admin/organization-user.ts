import * as z from 'zod';
import { userResponse } from '../rest/user.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { roles } from './role.ts';

/** `site_ids` are the sites that a technician is assigned to; empty for other roles. */
export const organizationUserResponse = tolerantObject({
  ...userResponse.shape,
  role: openEnum(roles),
  site_ids: z.array(idSchema('site')),
});
export type OrganizationUserResponse = z.infer<typeof organizationUserResponse>;

const siteIds = z
  .array(idSchema('site'))
  .max(1000)
  .overwrite(ids => [...new Set(ids)]);

const SHORTEST_PASSWORD = 8;

/** An existing account needs no password; a new account does. */
export const organizationUserCreate = z.strictObject({
  email: plainText(254, 1),
  role: z.enum(roles),
  site_ids: siteIds.default([]),
  name: nameText().optional(),
  password: plainText(1024, SHORTEST_PASSWORD).optional(),
});
export type OrganizationUserCreate = z.infer<typeof organizationUserCreate>;

export const organizationUserEdit = z.strictObject({ role: z.enum(roles).optional(), site_ids: siteIds.optional() });
export type OrganizationUserEdit = z.infer<typeof organizationUserEdit>;
