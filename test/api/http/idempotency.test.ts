import { expect, it } from 'vitest';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

describeOnBothDatabases('Idempotency-Key', bridge => {
  const post = async (client: TestOrganizationClient, path: string, key: string, body: object = {}) => {
    const answer = await bridge().app.inject({
      method: 'POST',
      url: `/v2${path}`,
      headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': key },
      payload: body,
    });
    return { status: answer.statusCode, text: answer.payload, isReplay: answer.headers['idempotency-replayed'] };
  };
  const memberCount = async (client: TestOrganizationClient) => (await client.get('/members')).body.data.length;

  it('makes a retried create return the first response and record one event', async () => {
    const client = await bridge().newOrganization();
    const first = await post(client, '/members', 'k1', { name: 'Ann' });
    const second = await post(client, '/members', 'k1', { name: 'Ann' });
    expect(first).toMatchObject({ status: 200, isReplay: undefined });
    expect(second).toEqual({ ...first, isReplay: 'true' });
    expect(await memberCount(client)).toBe(1);
    expect((await client.get('/events')).body.data).toHaveLength(1);
  });

  it('returns a one-time value again: the digits of a PIN', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', {});
    const first = await post(client, `/members/${id}/pins`, 'k1', { length: 6 });
    expect(JSON.parse(first.text)).toMatchObject({ pin: expect.stringMatching(/^\d{6}$/) });
    expect((await post(client, `/members/${id}/pins`, 'k1', { length: 6 })).text).toBe(first.text);
    expect((await client.get(`/members/${id}/pins`)).body.data).toHaveLength(1);
  });

  it('is rejected for a different request, with the name of the header', async () => {
    const client = await bridge().newOrganization();
    const { id } = JSON.parse((await post(client, '/members', 'k1', { name: 'Ann' })).text) as { id: string };
    for (const [path, body] of [
      ['/members', { name: 'Bob' }],
      ['/members?expand=pins', { name: 'Ann' }],
      [`/members/${id}/pins`, { length: 4 }],
    ] as const) {
      const answer = await post(client, path, 'k1', body);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ type: 'invalid_request', args: { field: 'Idempotency-Key' } });
    }
    expect(await memberCount(client)).toBe(1);
  });

  it.each(['', 'x'.repeat(256), 'ä'])('must be 1 to 255 printable characters, not %j', async key => {
    const client = await bridge().newOrganization();
    const answer = await post(client, '/members', key);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ args: { field: 'Idempotency-Key' } });
  });

  it('executes only one of several concurrent requests', async () => {
    const client = await bridge().newOrganization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(client, '/members', 'k1', { name: 'Ann' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ isReplay }) => isReplay === undefined)).toHaveLength(1);
    expect(await memberCount(client)).toBe(1);
  });

  it('is scoped to one application of one organization', async () => {
    const client = await bridge().newOrganization();
    const colleague = await bridge().newApplication(client.organizationId);
    const stranger = await bridge().newOrganization();
    const texts = new Set<string>();
    for (const one of [client, colleague, stranger]) texts.add((await post(one, '/members', 'k1', {})).text);
    expect(texts.size).toBe(3);
  });

  it('does not store errors, so that a failed request can be retried', async () => {
    const client = await bridge().newOrganization();
    const tag = await client.callOk('POST', '/tags', { name: 'VIP' });
    await client.callOk('DELETE', `/tags/${tag.id}`);
    const body = { tag_ids: [tag.id] };
    expect((await post(client, '/members', 'k1', body)).status).toBe(400);
    const other = await post(client, '/members', 'k1', { name: 'Ann' });
    expect(other).toMatchObject({ status: 200, isReplay: undefined });
  });

  it('includes its own write in the expands of the response', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', {});
    const answer = await post(client, `/members/${id}/cards?expand=card,member`, 'k1', { uid: '04A1B2C3' });
    expect(JSON.parse(answer.text)).toMatchObject({ card: { uid: '04a1b2c3' }, member: { id } });
  });

  it('expires after 24 hours', async () => {
    const client = await bridge().newOrganization();
    const first = await post(client, '/members', 'k1');
    bridge().advanceSeconds(24 * 3600 - 1);
    const again = await bridge().client(client.organizationId, client.applicationId, 'full_read_write');
    expect((await post(again, '/members', 'k1')).text).toBe(first.text);
    bridge().advanceSeconds(1);
    const fresh = await post(again, '/members', 'k1');
    expect(fresh).toMatchObject({ status: 200, isReplay: undefined });
    expect(fresh.text).not.toBe(first.text);
    expect((await post(again, '/members', 'k1')).text).toBe(fresh.text);
  });
});
