import { createCardRequestSchema, editCardRequestSchema } from '@lintel/wire-protocol/rest/card';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberCardRequestSchema } from '@lintel/wire-protocol/rest/member-card';
import { describe, expect, it } from 'vitest';
import type { CardRow } from '../storage/schema.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createOrAssignCard, deleteCard, editCard } from './cards.ts';
import { createMemberCard, deleteMemberCard, editMemberCard } from './member-cards.ts';
import { createMember } from './members.ts';

const test = useTestOrganization();
const create = (given: object, organization = test.organization) =>
  organization.write(context => createOrAssignCard(context, parseTestBody(createCardRequestSchema, given)));
const edit = (id: string, given: object) =>
  test.organization.write(context => editCard(context, id, parseTestBody(editCardRequestSchema, given)));
const remove = (id: string) => test.organization.write(context => deleteCard(context, id));
const newMember = async (organization = test.organization) =>
  (await organization.write(context => createMember(context, parseTestBody(createMemberRequestSchema, {})))).id;
const assign = (memberId: string, given: object, organization = test.organization) =>
  organization.write(context =>
    createMemberCard(context, memberId, parseTestBody(createMemberCardRequestSchema, given)),
  );

/** A stock card that the organization has received but not taken. Codes differ between tests, which share the stock. */
const stockCard = async (given: Partial<CardRow>): Promise<string> => {
  const id = test.database.services.newId('card');
  await test.database.insert('cards', {
    id,
    organization_id: null,
    is_deleted: 0,
    created_at: 0,
    metadata: '{}',
    name: '',
    uid: null,
    printed_code: null,
    reserved_for: test.organization.id,
    ...given,
  });
  return id;
};

describe('createOrAssignCard', () => {
  it('creates a card with the UID in lower case', async () => {
    expect(await create({ uid: '04A1B2C3' })).toMatchObject({ uid: '04a1b2c3', printed_code: null, name: '' });
  });

  it.each([
    ['uid', { uid: '04a1b2c3' }],
    ['printed_code', { printed_code: 'A-17' }],
  ])('rejects a %s that another card of the organization has', async (field, given) => {
    await create({ uid: '04ffffff', ...given });
    expect(await captureApiError(create(given))).toBe(`invalid_request: ${field}`);
  });

  it('accepts a UID that is in use by another organization or by a deleted card', async () => {
    const other = await test.database.addOrganization();
    await create({ uid: '04a1b2c3' }, other);
    const { id } = await create({ uid: '04a1b2c3' });
    await remove(id);
    expect((await create({ uid: '04a1b2c3' })).id).not.toBe(id);
  });

  it('assigns the stock card with the given id, with its codes', async () => {
    const id = await stockCard({ uid: '04000001', printed_code: 'S-1' });
    const card = await create({ id, name: 'Blue' });
    expect(card).toMatchObject({ id, uid: '04000001', printed_code: 'S-1', name: 'Blue' });
    expect(card.organization_id).toBe(test.organization.id);
  });

  it('assigns a stock card by its printed code and adds the missing UID', async () => {
    const id = await stockCard({ printed_code: 'S-2' });
    expect(await create({ printed_code: 'S-2', uid: '04000002' })).toMatchObject({ id, uid: '04000002' });
  });

  it('rejects codes that contradict the stock card', async () => {
    await stockCard({ uid: '04000003', printed_code: 'S-3' });
    expect(await captureApiError(create({ printed_code: 'S-3', uid: '04ffffff' }))).toBe('invalid_request: uid');
  });

  it('rejects a stock card whose UID another card of the organization has', async () => {
    await create({ uid: '04000004' });
    await stockCard({ uid: '04000004', printed_code: 'S-4' });
    expect(await captureApiError(create({ printed_code: 'S-4' }))).toBe('invalid_request: uid');
  });

  it('rejects an id that is not in stock', async () => {
    const id = await stockCard({ uid: '04000005' });
    await create({ id });
    expect(await captureApiError(create({ id }))).toBe('invalid_request: id');
  });

  it('leaves a stock card of another organization where it is', async () => {
    const codes = { uid: '04000006', printed_code: 'S-6' };
    const id = await stockCard({ ...codes, reserved_for: (await test.database.addOrganization()).id });
    expect(await captureApiError(create({ id, ...codes }))).toBe('invalid_request: id');
    expect((await create({ ...codes })).id).not.toBe(id);
  });

  it('assigns a card that no organization has received only by printed code and UID together', async () => {
    const codes = { uid: '04000007', printed_code: 'S-7' };
    const id = await stockCard({ ...codes, reserved_for: null });
    expect(await captureApiError(create({ id }))).toBe('invalid_request: id');
    expect(await captureApiError(create({ id, uid: codes.uid }))).toBe('invalid_request: id');
    expect(await captureApiError(create({ id, ...codes, uid: '04ffffff' }))).toBe('invalid_request: id');
    expect((await create(codes)).id).toBe(id);
  });
});

describe('editCard', () => {
  it('changes name and metadata, and records an event only for a difference', async () => {
    const { id } = await create({ uid: '04a1b2c3', name: 'Blue', metadata: { lot: '1' } });
    expect(await test.organization.eventsOf(() => edit(id, { name: 'Blue' }))).toEqual([]);
    const edited = await edit(id, { name: 'Red', metadata: { lot: null } });
    expect([edited.name, edited.metadata]).toEqual(['Red', '{}']);
  });

  it('does not find a deleted card', async () => {
    const { id } = await create({ uid: '04a1b2c3' });
    await remove(id);
    expect(await captureApiError(edit(id, { name: 'x' }))).toBe('not_found');
  });
});

describe('deleteCard', () => {
  it('removes the card from its member in the same write', async () => {
    const member = await newMember();
    const { card_id } = await assign(member, { uid: '04a1b2c3' });
    expect(await test.organization.eventsOf(() => remove(card_id))).toEqual(['delete member_card', 'delete card']);
    expect(await test.organization.eventsOf(() => remove(card_id))).toEqual([]);
  });

  it('marks the member of the card as changed for controllers', async () => {
    const member = await newMember();
    const { card_id } = await assign(member, { uid: '04a1b2c3' });
    expect(await test.organization.changesOf(() => remove(card_id))).toEqual([`member ${member}`]);
  });
});

describe('createMemberCard', () => {
  it('creates the card for an unknown UID', async () => {
    const events = await test.organization.eventsOf(async () => {
      expect(await assign(await newMember(), { uid: '04a1b2c3' })).toMatchObject({ uid: '04a1b2c3', name: '' });
    });
    expect(events).toEqual(['create member', 'create card', 'create member_card']);
  });

  it('uses the card that already has the UID', async () => {
    const card = await create({ uid: '04a1b2c3', name: 'Blue' });
    expect(await assign(await newMember(), { uid: '04a1b2c3' })).toMatchObject({ card_id: card.id, name: 'Blue' });
  });

  it('assigns a stock card by its printed code', async () => {
    const id = await stockCard({ printed_code: 'S-10', uid: '04000010' });
    expect(await assign(await newMember(), { printed_code: 'S-10' })).toMatchObject({ card_id: id, uid: '04000010' });
  });

  it('rejects an unknown printed code', async () => {
    expect(await captureApiError(assign(await newMember(), { printed_code: 'S-404' }))).toBe(
      'invalid_request: printed_code',
    );
  });

  it.each(['card_id', 'uid', 'printed_code'] as const)('reports %s when the card is in use', async field => {
    const card = await create({ uid: '04a1b2c3', printed_code: 'P-1' });
    await assign(await newMember(), { card_id: card.id });
    const given = { card_id: card.id, uid: '04a1b2c3', printed_code: 'P-1' }[field];
    expect(await captureApiError(assign(await newMember(), { [field]: given }))).toBe(`invalid_request: ${field}`);
  });

  it('rejects a second assignment to the same member', async () => {
    const member = await newMember();
    await assign(member, { uid: '04a1b2c3' });
    expect(await captureApiError(assign(member, { uid: '04a1b2c3' }))).toBe('invalid_request: uid');
  });

  it('rejects a card of another organization', async () => {
    const card = await create({ uid: '04a1b2c3' }, await test.database.addOrganization());
    expect(await captureApiError(assign(await newMember(), { card_id: card.id }))).toBe('invalid_request: card_id');
  });
});

describe('deleteMemberCard', () => {
  it('keeps the card, so that another member can get it', async () => {
    const [first, second] = [await newMember(), await newMember()];
    const held = await assign(first, { uid: '04a1b2c3' });
    await test.organization.write(context => deleteMemberCard(context, { parentId: first, id: held.id }));
    expect((await assign(second, { uid: '04a1b2c3' })).card_id).toBe(held.card_id);
  });

  it('does not find the member card below another member', async () => {
    const held = await assign(await newMember(), { uid: '04a1b2c3' });
    const wrong = { parentId: await newMember(), id: held.id };
    expect(await captureApiError(test.organization.write(context => deleteMemberCard(context, wrong)))).toBe(
      'not_found',
    );
  });
});

describe('editMemberCard', () => {
  it('merges metadata and returns the fields of the card', async () => {
    const member = await newMember();
    const held = await assign(member, { uid: '04a1b2c3', metadata: { a: '1' } });
    const edited = await test.organization.write(context =>
      editMemberCard(context, { parentId: member, id: held.id }, { metadata: { b: '2' } }),
    );
    expect(edited).toMatchObject({ uid: '04a1b2c3', metadata: '{"a":"1","b":"2"}' });
  });
});
