import type { TagCreate, TagEdit } from '@lintel/wire-protocol/rest/tag';
import { sql } from 'kysely';
import type { TagRow } from '../storage/schema.ts';
import { insertRow, mergedMetadata, requireLivingRow, requireRow, updateRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';

const tagged = ['sites', 'devices', 'gadgets', 'members', 'member_groups'] as const;

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'tag', tag_id: id } });
};

export const createTag = async (context: WriteContext, { name, color, metadata }: TagCreate): Promise<TagRow> => {
  const row = await insertRow(context, 'tags', {
    id: context.newId('tag'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(metadata),
    name,
    color,
  });
  tellOf(context, 'create', row.id);
  return row;
};

export const editTag = async (context: WriteContext, id: string, body: TagEdit): Promise<TagRow> => {
  const row = await requireLivingRow(context, 'tags', 'tag', id);
  const edited = await updateRow(context, 'tags', row, {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.color === undefined ? {} : { color: body.color }),
    ...(body.metadata === undefined ? {} : { metadata: mergedMetadata(row.metadata, body.metadata) }),
  });
  if (edited !== row) tellOf(context, 'edit', id);
  return edited;
};

/** `tag_ids` is written by JSON.stringify alone: an id in quotes is the whole id, with a comma on one side or none. */
const takeOffEverything = async ({ db, organizationId }: WriteContext, id: string): Promise<void> => {
  const quoted = JSON.stringify(id);
  const without = sql`replace(replace(replace(tag_ids, ${`${quoted},`}, ''), ${`,${quoted}`}, ''), ${quoted}, '')`;
  for (const table of tagged) {
    await sql`update ${sql.table(table)} set tag_ids = ${without}
      where organization_id = ${organizationId} and tag_ids <> ${without}`.execute(db);
  }
};

export const deleteTag = async (context: WriteContext, id: string): Promise<TagRow> => {
  const row = await requireRow(context, 'tags', 'tag', id);
  if (row.is_deleted === 1) return row;
  const deleted = await updateRow(context, 'tags', row, { is_deleted: 1 });
  await takeOffEverything(context, id);
  tellOf(context, 'delete', id);
  return deleted;
};
