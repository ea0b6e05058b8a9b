import { createMemberCardRequestSchema } from '@lintel/wire-protocol/rest/member-card';
import {
  createMemberRequestSchema,
  type EditMemberRequest,
  editMemberRequestSchema,
} from '@lintel/wire-protocol/rest/member';
import { createMemberPinRequestSchema } from '@lintel/wire-protocol/rest/member-pin';
import { createTagRequestSchema } from '@lintel/wire-protocol/rest/tag';
import { describe, expect, it } from 'vitest';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createMemberCard } from './member-cards.ts';
import { createMemberPin } from './member-pins.ts';
import { createMember, deleteMember, editMember } from './members.ts';
import { createTag } from './tags.ts';

const test = useTestOrganization();

const create = (given: object = {}) =>
  test.organization.write(context => createMember(context, parseTestBody(createMemberRequestSchema, given)));
const edit = (id: string, given: object) =>
  test.organization.write(context => editMember(context, id, parseTestBody(editMemberRequestSchema, given)));
const remove = (id: string) => test.organization.write(context => deleteMember(context, id));
const addPin = (memberId: string, pin: string) =>
  test.organization.write(context =>
    createMemberPin(context, memberId, parseTestBody(createMemberPinRequestSchema, { pin })),
  );
const addCard = (memberId: string, uid: string) =>
  test.organization.write(context =>
    createMemberCard(context, memberId, parseTestBody(createMemberCardRequestSchema, { uid })),
  );

describe('createMember', () => {
  it('stores validity as milliseconds and records one event', async () => {
    const events = await test.organization.eventsOf(async () => {
      const member = await create({ name: 'Ada', starts_at: '2026-06-01T10:00:00+02:00', language: 'en-us' });
      expect(member).toMatchObject({
        name: 'Ada',
        starts_at: Date.parse('2026-06-01T08:00:00Z'),
        ends_at: null,
        language: 'en-US',
        is_deleted: 0,
      });
    });
    expect(events).toEqual(['create member']);
  });

  it('reports the tag that does not exist', async () => {
    const tag = await test.organization.write(context =>
      createTag(context, parseTestBody(createTagRequestSchema, { name: 'VIP' })),
    );
    const missing = test.database.services.newId('tag');
    expect(await captureApiError(create({ tag_ids: [tag.id, missing] }))).toBe('invalid_request: tag_ids.1');
  });

  it('rejects a tag of another organization', async () => {
    const other = await test.database.addOrganization();
    const tag = await other.write(context =>
      createTag(context, parseTestBody(createTagRequestSchema, { name: 'VIP' })),
    );
    expect(await captureApiError(create({ tag_ids: [tag.id] }))).toBe('invalid_request: tag_ids.0');
  });
});

describe('editMember', () => {
  it('changes the given fields only', async () => {
    const { id } = await create({ name: 'Ada', metadata: { room: '7', floor: '1' } });
    const edited = await edit(id, { metadata: { room: '8', floor: null, wing: 'N' } });
    expect(edited.name).toBe('Ada');
    expect(JSON.parse(edited.metadata)).toEqual({ room: '8', wing: 'N' });
  });

  it('records neither an event nor a change when nothing differs', async () => {
    const { id } = await create({ name: 'Ada', metadata: { room: '7' } });
    expect(await test.organization.eventsOf(() => edit(id, { name: 'Ada', metadata: { room: '7' } }))).toEqual([]);
    expect(await test.organization.changesOf(() => edit(id, {}))).toEqual([]);
  });

  it('marks the member as changed for controllers', async () => {
    const { id } = await create();
    expect(await test.organization.changesOf(() => edit(id, { name: 'Grace' }))).toEqual([`member ${id}`]);
  });

  it.each<[string, EditMemberRequest | object, string]>([
    ['an end before the stored start', { ends_at: '2026-05-01T00:00:00Z' }, 'ends_at'],
    ['a start after the stored end', { starts_at: '2026-08-01T00:00:00Z' }, 'starts_at'],
  ])('rejects %s', async (_, change, field) => {
    const { id } = await create({ starts_at: '2026-06-01T00:00:00Z', ends_at: '2026-07-01T00:00:00Z' });
    expect(await captureApiError(edit(id, change))).toBe(`invalid_request: ${field}`);
  });

  it('accepts an end that equals the start', async () => {
    const { id } = await create({ starts_at: '2026-06-01T00:00:00Z' });
    expect((await edit(id, { ends_at: '2026-06-01T00:00:00Z' })).ends_at).toBe(Date.parse('2026-06-01T00:00:00Z'));
  });

  it('removes a limit with null, without comparing it to the other limit', async () => {
    const { id } = await create({ starts_at: '2026-06-01T00:00:00Z', ends_at: '2026-07-01T00:00:00Z' });
    const edited = await edit(id, { starts_at: null, ends_at: '2020-01-01T00:00:00Z' });
    expect([edited.starts_at, edited.ends_at]).toEqual([null, Date.parse('2020-01-01T00:00:00Z')]);
  });

  it('does not find a member of another organization', async () => {
    const other = await test.database.addOrganization();
    const { id } = await other.write(context => createMember(context, parseTestBody(createMemberRequestSchema, {})));
    expect(await captureApiError(edit(id, { name: 'x' }))).toBe('not_found');
  });

  it('writes nothing when one of several fields is rejected', async () => {
    const { id } = await create({ name: 'Ada', starts_at: '2026-06-01T00:00:00Z' });
    await captureApiError(edit(id, { name: 'Grace', ends_at: '2020-01-01T00:00:00Z' }));
    expect((await edit(id, {})).name).toBe('Ada');
  });

  it('edits and then deletes with is_deleted: true', async () => {
    const { id } = await create({ name: 'Ada' });
    const events = await test.organization.eventsOf(async () => {
      expect(await edit(id, { name: 'Grace', is_deleted: true })).toMatchObject({ name: 'Grace', is_deleted: 1 });
    });
    expect(events).toEqual(['edit member', 'delete member']);
  });
});

describe('deleteMember', () => {
  it('deletes once: a second delete records nothing', async () => {
    const { id } = await create();
    expect(await test.organization.eventsOf(() => remove(id))).toEqual(['delete member']);
    expect(await test.organization.eventsOf(() => remove(id))).toEqual([]);
  });

  it('frees the digits of its PINs for other members', async () => {
    const [first, second] = [await create(), await create()];
    await addPin(first.id, '482913');
    expect(await captureApiError(addPin(second.id, '482913'))).toBe('invalid_request: pin');
    await remove(first.id);
    expect((await addPin(second.id, '482913')).pin).toBe('482913');
  });

  it('frees its cards for other members', async () => {
    const [first, second] = [await create(), await create()];
    await addCard(first.id, '04a1b2c3');
    expect(await captureApiError(addCard(second.id, '04a1b2c3'))).toBe('invalid_request: uid');
    await remove(first.id);
    expect((await addCard(second.id, '04a1b2c3')).member_id).toBe(second.id);
  });

  it('makes new credentials fail', async () => {
    const { id } = await create();
    await remove(id);
    expect(await captureApiError(addPin(id, '1234'))).toBe('invalid_request: member_id');
    expect(await captureApiError(addCard(id, '04a1b2c3'))).toBe('invalid_request: member_id');
  });
});

describe('undeleting a member', () => {
  const deletedWith = async (add: (id: string) => Promise<unknown>): Promise<string> => {
    const { id } = await create();
    await add(id);
    await remove(id);
    return id;
  };

  it('reserves its PINs again', async () => {
    const id = await deletedWith(member => addPin(member, '482913'));
    expect((await edit(id, { is_deleted: false })).is_deleted).toBe(0);
    expect(await captureApiError(addPin((await create()).id, '482913'))).toBe('invalid_request: pin');
  });

  it('fails while another member has one of its PINs', async () => {
    const id = await deletedWith(member => addPin(member, '482913'));
    await addPin((await create()).id, '482913');
    expect(await captureApiError(edit(id, { is_deleted: false }))).toBe('invalid_request: is_deleted');
  });

  it('fails while another member has one of its cards', async () => {
    const id = await deletedWith(member => addCard(member, '04a1b2c3'));
    await addCard((await create()).id, '04a1b2c3');
    expect(await captureApiError(edit(id, { is_deleted: false }))).toBe('invalid_request: is_deleted');
  });

  it('reserves no digits when it fails because of a card', async () => {
    const id = await deletedWith(async member => {
      await addPin(member, '482913');
      await addCard(member, '04a1b2c3');
    });
    await addCard((await create()).id, '04a1b2c3');
    await captureApiError(edit(id, { is_deleted: false }));
    expect((await addPin((await create()).id, '482913')).pin).toBe('482913');
  });

  it('exempts a past ends_at from auto-deletion once', async () => {
    const { id } = await create({ ends_at: '2026-05-01T00:00:00Z' });
    await remove(id);
    const ended = Date.parse('2026-05-01T00:00:00Z');
    expect(await edit(id, { is_deleted: false })).toMatchObject({ is_deleted: 0, expired_for: ended });
  });

  it('does not exempt an ends_at that is new or in the future', async () => {
    const past = await create({ ends_at: '2026-05-01T00:00:00Z' });
    await remove(past.id);
    const moved = await edit(past.id, { is_deleted: false, ends_at: '2026-05-02T00:00:00Z' });
    expect(moved.expired_for).toBeNull();
    const ahead = await create({ ends_at: '2026-09-01T00:00:00Z' });
    await remove(ahead.id);
    expect((await edit(ahead.id, { is_deleted: false })).expired_for).toBeNull();
  });
});
