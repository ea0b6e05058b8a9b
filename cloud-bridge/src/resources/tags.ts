import type { CreateTagRequest, EditTagRequest } from '@lintel/wire-protocol/rest/tag';
import { sql } from 'kysely';
import type { TagRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

const taggedTables = ['sites', 'devices', 'gadgets', 'members', 'member_groups'] as const;

const tags = new ResourceWriter('tag', 'tags', { isSynced: false });

export const createTag = (context: WriteContext, { name, color, metadata }: CreateTagRequest): Promise<TagRow> =>
  tags.create(context, { metadata }, { name, color });

export const editTag = async (
  context: WriteContext,
  id: string,
  { name, color, metadata }: EditTagRequest,
): Promise<TagRow> => tags.edit(context, await tags.requireActive(context, id), { metadata }, { name, color });

/** Edits the JSON as text. JSON.stringify writes it, so a quoted id is always a whole id. */
const removeTagEverywhere = async ({ db, organizationId }: WriteContext, id: string): Promise<void> => {
  const quoted = JSON.stringify(id);
  const without = sql`replace(replace(replace(tag_ids, ${`${quoted},`}, ''), ${`,${quoted}`}, ''), ${quoted}, '')`;
  for (const table of taggedTables) {
    await sql`update ${sql.table(table)} set tag_ids = ${without}
      where organization_id = ${organizationId} and tag_ids <> ${without}`.execute(db);
  }
};

export const deleteTag = (context: WriteContext, id: string): Promise<TagRow> =>
  tags.delete(context, id, () => removeTagEverywhere(context, id));
