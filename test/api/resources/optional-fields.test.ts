import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

describeOnBothDatabases('optional fields of a POST', bridge => {
  it('are left out by null, and texts also by an empty text', async () => {
    const client = await bridge().newOrganization();
    const empty = { name: null, starts_at: null, ends_at: null, metadata: null, tag_ids: null };
    const without = { name: '', starts_at: null, ends_at: null, metadata: {}, tag_ids: [], language: null };
    expect(await client.callOk('POST', '/members', { ...empty, language: null })).toMatchObject(without);
    const member = await client.callOk('POST', '/members', { ...empty, name: '', language: '' });
    expect(member).toMatchObject(without);
    const cards = `/members/${member.id}/cards`;
    const card = { card_id: null, uid: '04a1b2c3', printed_code: '', metadata: null };
    expect(await client.callOk('POST', cards, card)).toMatchObject({ uid: '04a1b2c3', printed_code: null });
    expect(await client.callOk('POST', '/cards', { id: '', uid: '04a1b2c4', name: null })).toMatchObject({ name: '' });
    expect(await client.callOk('POST', '/tags', { name: 'VIP', color: '' })).toMatchObject({ color: null });
    expect(await client.callOk('POST', `/members/${member.id}/pins`, { length: 6, pin: '' })).toMatchObject({
      length: 6,
    });
  });

  it('are still validated, and required fields are still required', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', {});
    for (const [path, body, field] of [
      ['/members', { ends_at: '' }, 'ends_at'],
      ['/members', { language: 'x!' }, 'language'],
      ['/tags', { name: null }, 'name'],
      [`/members/${id}/pins`, { length: '' }, 'length'],
      [`/members/${id}/cards`, { uid: '', printed_code: null }, 'card_id'],
      [`/members/${id}/emails`, { email: '' }, 'email'],
    ] as const) {
      expect((await client.call('POST', path, body)).body).toMatchObject({ type: 'invalid_request', args: { field } });
    }
  });
});
