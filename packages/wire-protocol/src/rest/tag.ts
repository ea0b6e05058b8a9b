import * as z from 'zod';
import { createObject } from '../schema-parts/create-object.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch } from './metadata.ts';

export const tagResponse = tolerantObject({
  id: idSchema('tag'),
  organization_id: idSchema('organization'),
  name: z.string(),
  color: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type TagResponse = z.infer<typeof tagResponse>;

const color = plainText(64).nullable();

export const tagCreate = createObject({ name: nameText(1), color: color.default(null), metadata: metadataCreate });
export type TagCreate = z.infer<typeof tagCreate>;

export const tagEdit = z.strictObject({
  name: nameText(1).optional(),
  color: color.optional(),
  metadata: metadataPatch.optional(),
});
export type TagEdit = z.infer<typeof tagEdit>;
