import { parseRequest } from '@lintel/wire-protocol/rest/request';
import { type SiteCreate, type SiteEdit, siteCreate, siteEdit } from '@lintel/wire-protocol/rest/site';
import { orThrow } from '../http/api-error.ts';
import type { SiteRow } from '../storage/schema.ts';
import { insertRow, mergedMetadata, requireLivingRow, requireRow, requireTags, updateRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';

const jsonOrNull = (value: object | null | undefined): string | null => (value == null ? null : JSON.stringify(value));

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'site', site_id: id } });
  context.changed('site', id);
};

export const createSite = async (context: WriteContext, given: SiteCreate): Promise<SiteRow> => {
  const body = orThrow(parseRequest(siteCreate, given));
  await requireTags(context, body.tag_ids);
  const row = await insertRow(context, 'sites', {
    id: context.newId('site'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(body.metadata),
    name: body.name,
    geo: jsonOrNull(body.geo),
    map: jsonOrNull(body.map),
    phone: body.phone ?? null,
    email: body.email ?? null,
    info: body.info ?? null,
    timezone: body.timezone ?? null,
    tag_ids: JSON.stringify(body.tag_ids),
  });
  tellOf(context, 'create', row.id);
  return row;
};

export const editSite = async (context: WriteContext, id: string, given: SiteEdit): Promise<SiteRow> => {
  const row = await requireLivingRow(context, 'sites', 'site', id);
  const { geo, map, metadata, tag_ids, ...plain } = orThrow(parseRequest(siteEdit, given));
  const changes: { -readonly [Column in keyof SiteRow]?: SiteRow[Column] | undefined } = plain;
  if (geo !== undefined) changes.geo = jsonOrNull(geo);
  if (map !== undefined) changes.map = jsonOrNull(map);
  if (metadata !== undefined) changes.metadata = mergedMetadata(row.metadata, metadata);
  if (tag_ids !== undefined) {
    await requireTags(context, tag_ids);
    changes.tag_ids = JSON.stringify(tag_ids);
  }
  const edited = await updateRow(context, 'sites', row, changes as Partial<SiteRow>);
  if (edited !== row) tellOf(context, 'edit', id);
  return edited;
};

/** Its devices and gadgets stay as they are, but nothing at a deleted site can be opened any more. */
export const deleteSite = async (context: WriteContext, id: string): Promise<SiteRow> => {
  const row = await requireRow(context, 'sites', 'site', id);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, 'sites', row, { is_deleted: 1 });
  tellOf(context, 'delete', id);
  return deleted;
};
