import { parseRequestBody } from '@lintel/wire-protocol/rest/parse-request-body';
import {
  type CreateSiteRequest,
  type EditSiteRequest,
  createSiteRequestSchema,
  editSiteRequestSchema,
} from '@lintel/wire-protocol/rest/site';
import { unwrapOrThrow } from '../http/api-error.ts';
import type { SiteRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const sites = new ResourceWriter('site', 'sites');

export const createSite = async (context: WriteContext, given: CreateSiteRequest): Promise<SiteRow> => {
  const body = unwrapOrThrow(parseRequestBody(createSiteRequestSchema, given));
  return sites.create(context, body, {
    name: body.name,
    geo: body.geo ? JSON.stringify(body.geo) : null,
    map: body.map ? JSON.stringify(body.map) : null,
    phone: body.phone ?? null,
    email: body.email ?? null,
    info: body.info ?? null,
    timezone: body.timezone ?? null,
  });
};

export const editSite = async (context: WriteContext, id: string, given: EditSiteRequest): Promise<SiteRow> => {
  const row = await sites.requireActive(context, id);
  const { geo, map, metadata, tag_ids, ...plain } = unwrapOrThrow(parseRequestBody(editSiteRequestSchema, given));
  const changes = { ...plain, geo: geo && JSON.stringify(geo), map: map && JSON.stringify(map) };
  return sites.edit(context, row, { metadata, tag_ids }, changes);
};

/** Keeps devices and gadgets, but nothing at a deleted site can be opened. */
export const deleteSite = (context: WriteContext, id: string): Promise<SiteRow> => sites.delete(context, id);
