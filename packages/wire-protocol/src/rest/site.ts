import { ok } from '@lintel/access-core/result';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const location = tolerantObjectSchema({ lat: z.number(), lng: z.number() }).meta({ title: 'location' });

const siteGeo = tolerantObjectSchema({ location, radius: z.number() });

const siteMap = tolerantObjectSchema({
  location: location.nullish(),
  place_id: z.string().nullish(),
  address: z.string().nullish(),
  image_url: z.string().nullish(),
});

export const siteResponseSchema = tolerantObjectSchema({
  id: idSchema('site'),
  name: z.string(),
  organization_id: idSchema('organization'),
  geo: siteGeo.nullable(),
  map: siteMap.nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  info: z.string().nullable(),
  timezone: z.string().nullable(),
  is_deleted: z.boolean(),
  created_at: dateTimeSchema,
  metadata: metadataSchema,
  tag_ids: tagIdsSchema,
});
export type SiteResponse = z.infer<typeof siteResponseSchema>;

const givenLocation = z
  .strictObject({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
  .meta({ title: 'location_input' });

const HALF_THE_EARTH_METRES = 20_037_508;

const geo = z
  .strictObject({ location: givenLocation, radius: z.number().positive().max(HALF_THE_EARTH_METRES) })
  .meta({ title: 'site_geo_input' });

const map = z
  .strictObject({
    location: givenLocation.nullish(),
    place_id: plainTextSchema(500).nullish(),
    address: plainTextSchema(500).nullish(),
    image_url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2048)
      .nullish(),
  })
  .meta({ title: 'site_map_input' });

/** Stored as given: Intl would change Asia/Kolkata to the older Asia/Calcutta. */
const timezone = schemaFromParser(z.string(), (value, path) => {
  const zone = resolveTimeZone(value, path);
  return zone.ok ? ok(value as string) : zone;
});

const descriptionFields = {
  geo: geo.nullish(),
  map: map.nullish(),
  phone: plainTextSchema(100).nullish(),
  email: plainTextSchema(320).nullish(),
  info: plainTextSchema(10_000).nullish(),
  timezone: timezone.nullish(),
};

/** Sites are created and edited through the admin API, not the public API. */
export const createSiteRequestSchema = createPostBodySchema({
  ...descriptionFields,
  name: nameTextSchema(1),
  ...metadataAndTagCreateFields,
});
export type CreateSiteRequest = z.input<typeof createSiteRequestSchema>;

export const editSiteRequestSchema = z.strictObject({
  ...descriptionFields,
  name: nameTextSchema(1).optional(),
  /** Undeletes the site. Sites are deleted with DELETE. */
  is_deleted: z.literal(false, { error: 'must be false, which undeletes the site' }).optional(),
  ...metadataAndTagEditFields,
});
export type EditSiteRequest = z.input<typeof editSiteRequestSchema>;
