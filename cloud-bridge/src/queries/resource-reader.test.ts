import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { createCardRequestSchema } from '@lintel/wire-protocol/rest/card';
import { parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberCardRequestSchema } from '@lintel/wire-protocol/rest/member-card';
import { createMemberEmailRequestSchema } from '@lintel/wire-protocol/rest/member-email';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createMemberGroupAssociationRequestSchema } from '@lintel/wire-protocol/rest/member-group-association';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createOrAssignCard } from '../resources/cards.ts';
import { createGroupAssociation } from '../resources/group-associations.ts';
import { createMemberCard } from '../resources/member-cards.ts';
import { deleteMemberCredential } from '../resources/member-credentials.ts';
import { createMemberEmail } from '../resources/member-emails.ts';
import { createMemberGroup } from '../resources/member-groups.ts';
import { createMemberPin } from '../resources/member-pins.ts';
import { createMember, deleteMember } from '../resources/members.ts';
import { createTag } from '../resources/tags.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { eventMatchesFilters } from './event-matches-filters.ts';
import { parseExpandQuery, type ListPage } from './resource-reader.ts';
import { SearchWordCountCache } from './search-word-count-cache.ts';

const test = useTestOrganization();
const newMember = async (given: object = {}): Promise<string> =>
  (await test.organization.write(context => createMember(context, parseTestBody(createMemberRequestSchema, given)))).id;
const list = async (
  type: ResourceType,
  query: Record<string, unknown> = {},
  parent = {},
  viewer = test.organization.viewer,
): Promise<ListPage> =>
  JSON.parse((await test.database.services.reader.listJson(type, viewer, query, parent)).text) as ListPage;
const idsOf = async (type: ResourceType, query: Record<string, unknown> = {}): Promise<string[]> =>
  (await list(type, query)).data.map(({ id }) => id as string);

/** Every page until the last, each of which must be full. */
const allPages = async (type: ResourceType, query: Record<string, string>): Promise<string[]> => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(type, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    if (page.has_next) expect(page.data).toHaveLength(Number(query['limit']));
    found.push(...page.data.map(({ id }) => id as string));
    cursor = page.cursor_next;
  } while (cursor !== undefined);
  return found;
};

describe('ResourceReader.listJson', () => {
  it('shows the newest first by default, and at most 100', async () => {
    const ids = await test.organization.write(async context => {
      const made: string[] = [];
      for (let index = 0; index < 101; index++) {
        made.push((await createMember(context, parseTestBody(createMemberRequestSchema, {}))).id);
      }
      return made;
    });
    const page = await list('member');
    expect(page.data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 100));
    expect(page.has_next).toBe(true);
  });

  it.each(['name:asc', 'name:desc', 'created_at:asc', 'created_at:desc', 'ends_at:asc', 'ends_at:desc', 'id:asc'])(
    'pages through every object exactly once, sorted by %s',
    async sort => {
      const ends = [null, '2026-07-01T00:00:00Z', null, '2026-08-01T00:00:00Z', '2026-07-01T00:00:00Z', null, null];
      const members = ends.map((ends_at, index) => newMember({ name: `n${index % 3}`, ends_at }));
      const ids = await Promise.all(members);
      const whole = await idsOf('member', { sort });
      expect(whole.toSorted()).toEqual(ids.toSorted());
      for (const limit of ['1', '3', '7']) expect(await allPages('member', { sort, limit })).toEqual(whole);
    },
  );

  it('does not skip or repeat objects when others are created and deleted between pages', async () => {
    const ids = [await newMember(), await newMember(), await newMember(), await newMember()];
    const first = await list('member', { limit: '2', sort: 'id:asc' });
    await test.organization.write(context => deleteMember(context, ids[0]!));
    const later = await newMember();
    const second = await list('member', { limit: '2', sort: 'id:asc', cursor: first.cursor_next });
    expect(second.data.map(({ id }) => id)).toEqual([ids[2], ids[3]]);
    const third = await list('member', { limit: '2', sort: 'id:asc', cursor: second.cursor_next });
    expect(third).toMatchObject({ data: [{ id: later }], has_next: false });
  });

  it('has no cursor on a last page that is exactly full', async () => {
    for (let index = 0; index < 2; index++) await newMember();
    const page = await list('member', { limit: '2' });
    expect([page.data.length, page.has_next, page.cursor_next]).toEqual([2, false, undefined]);
  });

  it('rejects a cursor of another list, sort, filter or organization', async () => {
    for (let index = 0; index < 3; index++) await newMember();
    const { cursor_next: cursor } = await list('member', { limit: '1' });
    const other = (await test.database.addOrganization()).viewer;
    for (const attempt of [
      list('member', { limit: '1', cursor, sort: 'name:asc' }),
      list('member', { limit: '1', cursor, is_deleted: 'any' }),
      list('member_group', { limit: '1', cursor }),
      list('member', { limit: '1', cursor }, {}, other),
    ]) {
      expect(await captureApiError(attempt)).toBe('invalid_request: cursor');
    }
  });

  it.each([
    ['created_at:desc', 'yesterday'],
    ['created_at:desc', true],
    ['name:asc', 5],
    ['id:asc', 'x'],
  ])('rejects a cursor for %s with the value %j, which the column cannot hold', async (sort, value) => {
    for (let index = 0; index < 2; index++) await newMember();
    const { cursor_next: cursor } = await list('member', { limit: '1', sort });
    const [binding, , id] = JSON.parse(Buffer.from(cursor!, 'base64url').toString()) as unknown[];
    const forged = Buffer.from(JSON.stringify([binding, value, id])).toString('base64url');
    expect(await captureApiError(list('member', { limit: '1', sort, cursor: forged }))).toBe('invalid_request: cursor');
  });

  it.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['limit', { limit: '1.5' }],
    ['sort', { sort: 'metadata:asc' }],
    ['sort', { sort: 'name' }],
    ['limit', { limit: ['1', '2'] }],
    ['unknown', { unknown: 'x' }],
    ['is_deleted', { is_deleted: 'maybe' }],
    ['created_at:gt', { 'created_at:gt': 'yesterday' }],
  ])('rejects an invalid %s: %j', async (field, query) => {
    expect(await captureApiError(list('member', query))).toBe(`invalid_request: ${field}`);
  });

  it('hides deleted objects by default', async () => {
    const [active, deleted] = [await newMember(), await newMember()];
    await test.organization.write(context => deleteMember(context, deleted));
    expect(await idsOf('member')).toEqual([active]);
    expect(await idsOf('member', { is_deleted: 'true' })).toEqual([deleted]);
    expect(await idsOf('member', { is_deleted: 'any', sort: 'id:asc' })).toEqual([active, deleted]);
  });

  it('shows nothing of another organization', async () => {
    const id = await newMember();
    const other = (await test.database.addOrganization()).viewer;
    expect((await list('member', {}, {}, other)).data).toEqual([]);
    expect(await test.database.services.reader.find('member', other, id)).toBeNull();
  });

  it('filters by metadata, with and without an index on the key', async () => {
    const [first, second] = [
      await newMember({ metadata: { source: 'pms', room: '7' } }),
      await newMember({ metadata: { source: 'desk', room: '7' } }),
    ];
    expect(await idsOf('member', { 'metadata.source': 'pms' })).toEqual([first]);
    expect(await idsOf('member', { 'metadata.room': '7', sort: 'id:asc' })).toEqual([first, second]);
    expect(await idsOf('member', { 'metadata.room': '7', 'metadata.source': 'desk' })).toEqual([second]);
    expect(await idsOf('member', { 'metadata.room': "7' or '1'='1" })).toEqual([]);
  });

  it('filters by tag and by an email address that is not deleted, case-insensitively', async () => {
    const tag = await test.organization.write(context =>
      createTag(context, parseTestBody(createTagRequestSchema, { name: 'VIP' })),
    );
    const [tagged, other] = [await newMember({ tag_ids: [tag.id] }), await newMember()];
    expect(await idsOf('member', { tag_id: tag.id })).toEqual([tagged]);
    const email = parseTestBody(createMemberEmailRequestSchema, { email: 'Ada@Example.com' });
    await test.organization.write(context => createMemberEmail(context, other, email));
    expect(await idsOf('member', { email: 'ada@example.COM' })).toEqual([other]);
  });

  it('filters by validity: valid at a time, starting after it, ended before it', async () => {
    const [now, day] = ['2026-06-01T10:00:00Z', '2026-06-02T10:00:00Z'];
    const always = await newMember();
    const active = await newMember({ starts_at: now, ends_at: day });
    const upcoming = await newMember({ starts_at: day });
    const ended = await newMember({ ends_at: now });
    expect(await idsOf('member', { valid_at: now, sort: 'id:asc' })).toEqual([always, active]);
    expect(await idsOf('member', { 'starts_at:gt': now })).toEqual([upcoming]);
    expect(await idsOf('member', { 'ends_at:le': now })).toEqual([ended]);
  });

  it('filters members by a group that they are associated with', async () => {
    const { organization } = test;
    const group = await organization.write(context =>
      createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, {})),
    );
    const [member] = [await newMember(), await newMember()];
    const body = parseTestBody(createMemberGroupAssociationRequestSchema, { member_group_id: group.id });
    const { id } = await organization.write(context => createGroupAssociation(context, member, body));
    expect(await idsOf('member', { member_group_id: group.id })).toEqual([member]);
    await organization.write(context =>
      deleteMemberCredential(context, 'member_group_association', { parentId: member, id }),
    );
    expect(await idsOf('member', { member_group_id: group.id })).toEqual([]);
  });

  it('filters by creation time, exclusive and inclusive, also between milliseconds', async () => {
    const first = await newMember();
    test.database.clock.now += 1;
    const second = await newMember();
    const [before, at] = ['2026-06-01T10:00:00.000Z', '2026-06-01T10:00:00.001Z'];
    expect(await idsOf('member', { 'created_at:gt': before })).toEqual([second]);
    expect(await idsOf('member', { 'created_at:ge': before, 'created_at:lt': at })).toEqual([first]);
    expect(await idsOf('member', { 'created_at:ge': '2026-06-01T10:00:00.0005Z' })).toEqual([second]);
    expect(await idsOf('member', { 'created_at:lt': '2026-06-01T10:00:00.0005Z' })).toEqual([first]);
  });

  it('searches names case-insensitively, and takes wildcards literally', async () => {
    const group = async (name: string) =>
      (
        await test.organization.write(context =>
          createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, { name })),
        )
      ).id;
    const [guests, percent] = [await group('Guests 2026'), await group('100% staff')];
    expect(await idsOf('member_group', { q: 'GUEST' })).toEqual([guests]);
    expect(await idsOf('member_group', { q: '%' })).toEqual([percent]);
    expect(await idsOf('member_group', { q: '_' })).toEqual([]);
  });

  it('limits a nested list to its parent', async () => {
    const [first, second] = [await newMember(), await newMember()];
    const pin = await test.organization.write(context =>
      createMemberPin(context, first, parseTestBody(createMemberPinRequestSchema, { pin: '482913' })),
    );
    expect((await list('member_pin', {}, { member_id: first })).data).toMatchObject([{ id: pin.id, length: 6 }]);
    expect((await list('member_pin', {}, { member_id: second })).data).toEqual([]);
    expect(JSON.stringify(await list('member_pin', {}, { member_id: first }))).not.toContain('sealed');
  });

  it('shows technicians the devices of their sites only', async () => {
    const [near, far] = [await test.organization.site(), await test.organization.site()];
    const { device } = await test.organization.device(near.id);
    await test.organization.device(far.id);
    const technician = (siteIds: string[]) => ({ ...test.organization.viewer, siteIds });
    expect((await list('device', {}, {}, technician([near.id]))).data.map(({ id }) => id)).toEqual([device.id]);
    expect((await list('device', {}, {}, technician([]))).data).toEqual([]);
    expect((await list('site', {}, {}, technician([near.id, far.id]))).data).toHaveLength(2);
  });

  it.each([{ 'subject.type': 'user' }, { 'subject.user_id': 'usr_1' }])(
    'reads the audit log for %j without the events of doors',
    async query => {
      await list('event', query);
      const statement = test.database.statements.at(-1)!.replaceAll('?', "'x'");
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(
        test.database.services.storage.reader,
      );
      expect(rows.map(({ detail }) => detail)).toEqual(['SEARCH t USING INDEX events_of_accounts (organization_id=?)']);
    },
  );

  const planOf = async (statement: string): Promise<string[]> => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(
      test.database.services.storage.reader,
    );
    return rows.map(({ detail }) => detail);
  };

  it.each([
    [{ verb: 'deny' }, 'events_by_rare_verb (organization_id=? AND verb=?)'],
    [{ verb: 'reveal', 'object.type': 'member_pin' }, 'events_by_rare_verb (organization_id=? AND verb=?)'],
    [{ verb: 'deny', 'object.gadget_id': 'gad_1' }, 'denials_by_gadget (organization_id=? AND object_gadget_id=?)'],
    [{ verb: 'deny', reason: 'locked_out' }, 'denials_by_reason (organization_id=? AND reason=?)'],
    [{ 'object.type': 'gadget_state' }, 'events_of_states (organization_id=?)'],
    [
      { verb: 'deny', 'subject.member_id': 'mem_1' },
      'events_by_subject_member_id (organization_id=? AND subject_member_id=?)',
    ],
    [{ verb: 'use' }, 'events_by_creation (organization_id=?)'],
  ])('reads only the events that match %j', async (query, plan) => {
    await list('event', query);
    const statement = test.database.statements.at(-1)!.replaceAll('?', "'x'");
    expect(await planOf(statement)).toEqual([`SEARCH t USING INDEX ${plan}`]);
  });

  it('reads only the expanded objects, however many the organization has', async () => {
    const member = await newMember();
    const added = parseTestBody(createMemberPinRequestSchema, { length: 6 });
    await test.organization.write(context => createMemberPin(context, member, added));
    await list('member_pin', { expand: 'member.pins' });
    const [parents = '', children = ''] = test.database.statements.slice(-2);
    const plans = [parents, children].map(text => planOf(text.replace('?', "'[]'").replaceAll('?', "'x'")));
    const [ofParents, ofChildren] = await Promise.all(plans);
    expect(ofParents).toContain('SEARCH t USING INDEX sqlite_autoindex_members_1 (id=?)');
    expect(ofChildren).toContain('SEARCH t USING INDEX member_pins_by_member (member_id=?)');
  });
});

describe('expandObjects', () => {
  it('attaches parents, children and tags', async () => {
    const tag = await test.organization.write(context =>
      createTag(context, parseTestBody(createTagRequestSchema, { name: 'VIP' })),
    );
    const member = await newMember({ tag_ids: [tag.id] });
    const card = await test.organization.write(context =>
      createOrAssignCard(context, parseTestBody(createCardRequestSchema, { uid: '04a1b2c3' })),
    );
    await test.organization.write(context =>
      createMemberCard(context, member, parseTestBody(createMemberCardRequestSchema, { card_id: card.id })),
    );
    const [shown] = (await list('member', { expand: 'tags,cards.card' })).data;
    expect(shown).toMatchObject({
      id: member,
      tags: [{ id: tag.id, name: 'VIP' }],
      cards: [{ member_id: member, uid: '04a1b2c3', card: { id: card.id } }],
    });
  });

  it('leaves an empty list for an object without children', async () => {
    await newMember();
    expect((await list('member', { expand: 'pins' })).data).toMatchObject([{ pins: [] }]);
  });

  it('runs one query per name, independent of the number of objects', async () => {
    for (let index = 0; index < 5; index++) await newMember();
    const count = async (query: Record<string, string>) => {
      const before = test.database.statements.length;
      await list('member', query);
      return test.database.statements.length - before;
    };
    expect(await count({ limit: '5' })).toBe(1);
    expect(await count({ limit: '5', expand: 'pins,cards' })).toBe(3);
    expect(await count({ limit: '1', expand: 'pins,cards' })).toBe(3);
  });

  it('does not reveal referenced objects of another organization', async () => {
    const other = await test.database.addOrganization();
    const foreign = await other.write(context =>
      createTag(context, parseTestBody(createTagRequestSchema, { name: 'Secret' })),
    );
    const member = await newMember();
    await test.database.services.storage.writer
      .updateTable('members')
      .set({ tag_ids: JSON.stringify([foreign.id]) })
      .where('id', '=', member)
      .execute();
    expect((await list('member', { expand: 'tags' })).data).toMatchObject([{ tags: [] }]);
  });
});

describe('parseExpandQuery', () => {
  it('parses the expands of a single object', () => {
    expect([...parseExpandQuery('member', { expand: 'tags,pins' }).keys()]).toEqual(['tags', 'pins']);
    expect(parseExpandQuery('member', {}).size).toBe(0);
  });

  it.each([
    ['limit', { limit: '1' }],
    ['expand', { expand: ['tags', 'pins'] }],
    ['expand', { expand: 'friends' }],
  ])('rejects %s: %j', async (field, query) => {
    const attempt = (async () => parseExpandQuery('member', query))();
    expect(await captureApiError(attempt)).toMatch(new RegExp(`^invalid_request(: ${field})?$`));
  });
});

describe('eventMatchesFilters', () => {
  it.each<Record<string, string>>([
    { verb: 'create' },
    { 'object.type': 'member' },
    { 'created_at:gt': '2026-06-01T10:00:00.500Z' },
    { 'created_at:le': '2026-06-01T10:00:01Z', verb: 'delete' },
    { 'recorded_at:ge': '2026-06-01T10:00:01.000001Z' },
    { 'recorded_at:lt': '2026-06-01T10:00:01.000001Z' },
    { 'subject.user_id': 'usr_1' },
    { 'subject.user_id': 'usr_2' },
  ])('agrees with the list of events for %j', async query => {
    for (const seconds of [0, 1, 1, 2]) {
      test.database.clock.now = Date.parse('2026-06-01T10:00:00Z') + seconds * 1000;
      const id = await newMember();
      await test.organization.write(context => deleteMember(context, id), { user_id: 'usr_1' });
    }
    const parsed = parseListQuery('event', query);
    const filters = parsed.ok ? parsed.value.filters : [];
    const matching = test.organization.events.filter(event => eventMatchesFilters(event, filters)).map(({ id }) => id);
    expect((await idsOf('event', query)).toSorted()).toEqual(matching.toSorted());
  });
});

describe('SearchWordCountCache', () => {
  it('forgets a number after 50 uses, and keeps no zero', () => {
    const counts = new SearchWordCountCache();
    counts.keep('guest', 7);
    counts.keep('nobody', 0);
    expect(Array.from({ length: 51 }, () => counts.take('guest')).indexOf(undefined)).toBe(50);
    expect(counts.take('nobody')).toBeUndefined();
  });

  it('keeps at most 1000 words, the newest', () => {
    const counts = new SearchWordCountCache();
    for (let word = 0; word <= 1000; word++) counts.keep(String(word), word + 1);
    expect([counts.take('0'), counts.take('1'), counts.take('1000')]).toEqual([undefined, 2, 1001]);
  });
});
