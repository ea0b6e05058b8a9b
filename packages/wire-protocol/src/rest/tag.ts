import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata, metadataCreate, metadataPatch } from './metadata.ts';

export const tagAnswer = tolerantObject({
  id: idOf('tag'),
  organization_id: idOf('organization'),
  name: z.string(),
  color: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type TagAnswer = z.infer<typeof tagAnswer>;

const color = plainText(64).nullable();

export const tagCreate = z.strictObject({ name: nameText(1), color: color.default(null), metadata: metadataCreate });
export type TagCreate = z.infer<typeof tagCreate>;

export const tagEdit = z.strictObject({
  name: nameText(1).optional(),
  color: color.optional(),
  metadata: metadataPatch.optional(),
});
export type TagEdit = z.infer<typeof tagEdit>;
