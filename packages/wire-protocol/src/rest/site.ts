import { ok } from '@lintel/access-core/result';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { schemaFromParser } from '../schema-parts/schema-from-parser.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const LATITUDE = 'Latitude, -90 to 90 degrees';
const LONGITUDE = 'Longitude, -180 to 180 degrees';
const POINT = 'Point on the earth: the center of the circle, or what a map shows';
const GEO = 'Circle around the site, for the GPS presence check. Null: not set';
const MAP = 'Where the site is on a map, for people. Null: not set';
const RADIUS = 'Radius of the circle, in meters: more than 0, at most 20037508';
const PHONE = 'Phone number in the site info of the app, at most 100 characters. Null: not set';
const EMAIL = 'Email address in the site info of the app, at most 320 characters. Null: not set';
const INFO = 'Free text in the site info of the app, at most 10000 characters. Null: not set';
const PIN_ON_MAP = 'Point to show on a map. Null or absent: not set';
const PLACE = 'Id of the place in a maps service, at most 500 characters. Null or absent: not set';
const ADDRESS = 'Postal address, at most 500 characters. Null or absent: not set';
const IMAGE =
  'URL of the image at the top of the site in the app: http or https, at most 2048 characters. Null or absent: not set';
const TIMEZONE = 'Time zone of the site, an IANA name such as Europe/Madrid. Schedules use it. Null: not set';

const location = tolerantObjectSchema({
  lat: z.number().describe(LATITUDE),
  lng: z.number().describe(LONGITUDE),
}).meta({ title: 'location', description: POINT });

const siteGeo = tolerantObjectSchema({
  location,
  radius: z.number().describe(RADIUS),
}).describe(GEO);

const siteMap = tolerantObjectSchema({
  location: location.nullish().describe(PIN_ON_MAP),
  place_id: z.string().nullish().describe(PLACE),
  address: z.string().nullish().describe(ADDRESS),
  image_url: z.string().nullish().describe(IMAGE),
}).describe(MAP);

export const siteResponseSchema = tolerantObjectSchema({
  id: idSchema('site'),
  name: z.string().describe('Name of the site'),
  organization_id: idSchema('organization'),
  geo: siteGeo.nullable(),
  map: siteMap.nullable(),
  phone: z.string().nullable().describe(PHONE),
  email: z.string().nullable().describe(EMAIL),
  info: z.string().nullable().describe(INFO),
  timezone: z.string().nullable().describe(TIMEZONE),
  is_deleted: isDeletedSchema,
  created_at: createdAtSchema,
  metadata: metadataSchema,
  tag_ids: tagIdsSchema,
}).describe('A place such as a building or a floor, with its devices and gadgets');
export type SiteResponse = z.infer<typeof siteResponseSchema>;

const givenLocation = z
  .strictObject({
    lat: z.number().min(-90).max(90).describe(LATITUDE),
    lng: z.number().min(-180).max(180).describe(LONGITUDE),
  })
  .meta({ title: 'location_input', description: POINT });

const HALF_THE_EARTH_METRES = 20_037_508;

const geo = z
  .strictObject({
    location: givenLocation,
    radius: z.number().positive().max(HALF_THE_EARTH_METRES).describe(RADIUS),
  })
  .meta({ title: 'site_geo_input', description: GEO });

const map = z
  .strictObject({
    location: givenLocation.nullish().describe(PIN_ON_MAP),
    place_id: plainTextSchema(500).nullish().describe(PLACE),
    address: plainTextSchema(500).nullish().describe(ADDRESS),
    image_url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2048)
      .nullish()
      .describe(IMAGE),
  })
  .meta({ title: 'site_map_input', description: MAP });

/** Stored as given: Intl would change Asia/Kolkata to the older Asia/Calcutta. */
const timezone = schemaFromParser(z.string(), (value, path) => {
  const zone = resolveTimeZone(value, path);
  return zone.ok ? ok(value as string) : zone;
});

const descriptionFields = {
  geo: geo.nullish(),
  map: map.nullish(),
  phone: plainTextSchema(100).nullish().describe(PHONE),
  email: plainTextSchema(320).nullish().describe(EMAIL),
  info: plainTextSchema(10_000).nullish().describe(INFO),
  timezone: timezone.nullish().describe(TIMEZONE),
};

/** Sites are created and edited through the admin API, not the public API. */
export const createSiteRequestSchema = createPostBodySchema({
  ...descriptionFields,
  name: nameTextSchema(1).describe('Name of the site, 1 to 200 characters'),
  ...metadataAndTagCreateFields,
});
export type CreateSiteRequest = z.input<typeof createSiteRequestSchema>;

export const editSiteRequestSchema = z.strictObject({
  ...descriptionFields,
  name: nameTextSchema(1).optional().describe('Name of the site, 1 to 200 characters'),
  is_deleted: z
    .literal(false, { error: 'must be false, which undeletes the site' })
    .optional()
    .describe('false undeletes the site. Sites are deleted with DELETE'),
  ...metadataAndTagEditFields,
});
export type EditSiteRequest = z.input<typeof editSiteRequestSchema>;
