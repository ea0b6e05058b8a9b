import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { type SiteCreate, type SiteEdit, siteCreate, siteEdit } from '@lintel/wire-protocol/rest/site';
import { orThrow } from '../http/api-error.ts';
import type { SiteRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import type { WriteContext } from '../transactions/writer.ts';

const sites = new Resource('site', 'sites');

export const createSite = async (context: WriteContext, given: SiteCreate): Promise<SiteRow> => {
  const body = orThrow(parseRequest(siteCreate, given));
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

export const editSite = async (context: WriteContext, id: string, given: SiteEdit): Promise<SiteRow> => {
  const row = await sites.requireLiving(context, id);
  const { geo, map, metadata, tag_ids, ...plain } = orThrow(parseRequest(siteEdit, given));
  const changes = { ...plain, geo: geo && JSON.stringify(geo), map: map && JSON.stringify(map) };
  return sites.edit(context, row, { metadata, tag_ids }, changes);
};

/** Its devices and gadgets stay as they are, but nothing at a deleted site can be opened any more. */
export const deleteSite = (context: WriteContext, id: string): Promise<SiteRow> => sites.delete(context, id);
