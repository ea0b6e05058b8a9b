import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createTagRequestSchema, editTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { describe, expect, it } from 'vitest';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createMemberGroup } from './member-groups.ts';
import { createMember, editMember } from './members.ts';
import { createSite } from './sites.ts';
import { createTag, deleteTag, editTag } from './tags.ts';

const test = useTestOrganization();
const newTag = async (name = 'Tag'): Promise<string> =>
  (await test.organization.write(context => createTag(context, parseTestBody(createTagRequestSchema, { name })))).id;
const remove = (id: string) => test.organization.write(context => deleteTag(context, id));
const tagsOf = async (memberId: string): Promise<unknown> =>
  JSON.parse((await test.organization.write(context => editMember(context, memberId, {}))).tag_ids);

describe('deleteTag', () => {
  it.each([
    ['first', 0],
    ['middle', 1],
    ['last', 2],
  ])('removes the %s of three tags from an object', async (_, index) => {
    const tags = [await newTag(), await newTag(), await newTag()];
    const member = await test.organization.write(context =>
      createMember(context, parseTestBody(createMemberRequestSchema, { tag_ids: tags })),
    );
    await remove(tags[index]!);
    expect(await tagsOf(member.id)).toEqual(tags.filter(tag => tag !== tags[index]));
  });

  it('removes the only tag of sites and groups too', async () => {
    const tag = await newTag();
    const ids = await test.organization.write(async context => {
      const site = await createSite(context, { name: 'Site', tag_ids: [tag as never] });
      const group = await createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, { tag_ids: [tag] }));
      return { site: site.id, group: group.id };
    });
    await remove(tag);
    const rows = await test.organization.write(async ({ db }) => [
      await db.selectFrom('sites').select('tag_ids').where('id', '=', ids.site).executeTakeFirst(),
      await db.selectFrom('member_groups').select('tag_ids').where('id', '=', ids.group).executeTakeFirst(),
    ]);
    expect(rows).toEqual([{ tag_ids: '[]' }, { tag_ids: '[]' }]);
  });

  it('leaves objects of other organizations alone and deletes once', async () => {
    const tag = await newTag();
    const other = await test.database.addOrganization();
    const member = await other.write(context => createMember(context, parseTestBody(createMemberRequestSchema, {})));
    await test.database.services.storage.writer
      .updateTable('members')
      .set({ tag_ids: JSON.stringify([tag]) })
      .where('id', '=', member.id)
      .execute();
    expect(await test.organization.eventsOf(() => remove(tag))).toEqual(['delete tag']);
    expect(await test.organization.eventsOf(() => remove(tag))).toEqual([]);
    const kept = await other.write(context => editMember(context, member.id, {}));
    expect(JSON.parse(kept.tag_ids)).toEqual([tag]);
  });
});

describe('editTag', () => {
  it('sets and removes the color', async () => {
    const id = await newTag();
    const edit = (given: object) =>
      test.organization.write(context => editTag(context, id, parseTestBody(editTagRequestSchema, given)));
    expect((await edit({ color: 'red' })).color).toBe('red');
    expect(await test.organization.eventsOf(() => edit({ color: 'red' }))).toEqual([]);
    expect((await edit({ color: null })).color).toBeNull();
    await remove(id);
    expect(await captureApiError(edit({ name: 'x' }))).toBe('not_found');
  });
});
