import type { TagCreate, TagEdit } from '@lintel/wire-protocol/rest/tag';
import { sql } from 'kysely';
import type { TagRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import type { WriteContext } from '../transactions/writer.ts';

const tagged = ['sites', 'devices', 'gadgets', 'members', 'member_groups'] as const;

const tags = new Resource('tag', 'tags', { isSynced: false });

export const createTag = (context: WriteContext, { name, color, metadata }: TagCreate): Promise<TagRow> =>
  tags.create(context, { metadata }, { name, color });

export const editTag = async (context: WriteContext, id: string, { name, color, metadata }: TagEdit): Promise<TagRow> =>
  tags.edit(context, await tags.requireLiving(context, id), { metadata }, { name, color });

/** `tag_ids` is written by JSON.stringify alone: an id in quotes is the whole id, with a comma on one side or none. */
const takeOffEverything = async ({ db, organizationId }: WriteContext, id: string): Promise<void> => {
  const quoted = JSON.stringify(id);
  const without = sql`replace(replace(replace(tag_ids, ${`${quoted},`}, ''), ${`,${quoted}`}, ''), ${quoted}, '')`;
  for (const table of tagged) {
    await sql`update ${sql.table(table)} set tag_ids = ${without}
      where organization_id = ${organizationId} and tag_ids <> ${without}`.execute(db);
  }
};

export const deleteTag = (context: WriteContext, id: string): Promise<TagRow> =>
  tags.delete(context, id, () => takeOffEverything(context, id));
