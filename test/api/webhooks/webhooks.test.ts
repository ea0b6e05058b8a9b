import { readSealedSecrets } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

const url = 'https://pms.example.test/hook';

describeOnBothDatabases('webhooks', bridge => {
  it('return their secret only in the create response', async () => {
    const client = await bridge().newOrganization();
    const form = { url, filter: [{ object_type: 'gadget_action', verb: 'use' }], expand: ['subject_member'] };
    const { secret, ...created } = await client.callOk('POST', '/webhooks', form);
    expect(secret).toMatch(/^whs_[\w-]{43}$/);
    expect(created).toEqual({
      id: expect.stringMatching(/^wh_/),
      organization_id: client.organizationId,
      ...form,
      is_enabled: true,
      failing_since: null,
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: {},
    });
    const later = [
      await client.callOk('GET', `/webhooks/${created.id}`),
      (await client.get('/webhooks')).body.data[0],
      await client.callOk('PATCH', `/webhooks/${created.id}`, { is_enabled: true }),
    ];
    expect(later).toEqual([created, created, created]);
  });

  it('store their secret encrypted, bound to the webhook', async () => {
    const client = await bridge().newOrganization();
    const [one, two] = [
      await client.callOk('POST', '/webhooks', { url }),
      await client.callOk('POST', '/webhooks', { url }),
    ];
    const { storage } = bridge().services;
    const row = await storage.reader
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(one['secret']);
    const secrets = await readSealedSecrets(bridge().services);
    expect([secrets[`webhooks ${one.id}`], secrets[`webhooks ${two.id}`]]).toEqual([one['secret'], two['secret']]);
    const setSealed = (sealed_secret: string) =>
      storage.writer.updateTable('webhooks').set({ sealed_secret }).where('id', '=', two.id).execute();
    const { sealed_secret } = await storage.reader
      .selectFrom('webhooks')
      .select('sealed_secret')
      .where('id', '=', two.id)
      .executeTakeFirstOrThrow();
    await setSealed(row.sealed_secret);
    await expect(readSealedSecrets(bridge().services)).rejects.toThrow('authenticate');
    await setSealed(sealed_secret);
  });

  it('are visible only to their own application', async () => {
    const client = await bridge().newOrganization();
    const other = await bridge().newApplication(client.organizationId);
    const { id } = await client.callOk('POST', '/webhooks', { url });
    expect((await other.get('/webhooks')).body.data).toEqual([]);
    expect((await other.get(`/webhooks/${id}`)).status).toBe(404);
    expect((await other.call('PATCH', `/webhooks/${id}`, { url })).status).toBe(404);
    expect((await other.call('DELETE', `/webhooks/${id}`)).status).toBe(404);
    const [event] = (await other.get(`/events?object.webhook_id=${id}&expand=object_webhook`)).body.data;
    expect(event).toMatchObject({ object: { webhook_id: id } });
    expect(event).not.toHaveProperty('object_webhook');
  });

  it('can be created, edited and deleted with a read-only token', async () => {
    const client = await bridge().newOrganization('full_read_only');
    const form = { url, filter: [{ object_type: 'member' }, { object_type: 'tag' }], expand: ['subject_member'] };
    const { id } = await client.callOk('POST', '/webhooks', form);
    const edited = await client.callOk('PATCH', `/webhooks/${id}`, { is_enabled: false, metadata: { a: '1' } });
    expect(edited).toMatchObject({ is_enabled: false, metadata: { a: '1' }, url });
    const filter = [{ object_type: 'card', verb: 'create' }];
    expect(await client.callOk('PATCH', `/webhooks/${id}`, { filter })).toEqual({ ...edited, filter });
    expect(await client.callOk('DELETE', `/webhooks/${id}`)).toMatchObject({ is_deleted: true });
    await client.callOk('DELETE', `/webhooks/${id}`);
    expect((await client.call('PATCH', `/webhooks/${id}`, { url })).status).toBe(404);
    const events = (await client.get(`/events?object.webhook_id=${id}&sort=recorded_at:asc`)).body.data;
    expect(events.map(({ verb }) => verb)).toEqual(['create', 'edit', 'edit', 'delete']);
  });

  it('match nothing by default, and are rejected with invalid fields', async () => {
    const client = await bridge().newOrganization();
    expect(await client.callOk('POST', '/webhooks', { url })).toMatchObject({ filter: [], expand: [] });
    const wrong = async (form: object) => (await client.call('POST', '/webhooks', { url, ...form })).body;
    const refusal = (field: string) => ({ type: 'invalid_request', args: { field } });
    expect(await wrong({ url: 'ftp://example.test' })).toMatchObject(refusal('url'));
    expect(await wrong({ url: undefined })).toMatchObject(refusal('url'));
    expect(await wrong({ filter: [{ object_type: 'door' }] })).toMatchObject(refusal('filter.0.object_type'));
    expect(await wrong({ filter: [{}] })).toMatchObject(refusal('filter.0.object_type'));
    expect(await wrong({ filter: [{ object_type: 'member', verb: 'open' }] })).toMatchObject(refusal('filter.0.verb'));
    expect(await wrong({ filter: [{ 'object.door_id': 'x' }] })).toMatchObject(refusal('filter.0.object.door_id'));
    expect(await wrong({ secret: 'mine' })).toMatchObject(refusal('secret'));
    expect(await wrong({ expand: ['member'] })).toMatchObject({
      message: "Invalid expand 'member' for object 'event'",
    });
    expect(await wrong({ expand: ['subject_member.pinz'] })).toMatchObject({
      message: "Invalid expand 'pinz' for object 'member'",
    });
  });

  it.each([
    'https://user:password@pms.example.test/hook',
    'https://user@pms.example.test/hook',
    'http://127.0.0.1:8080/hook',
    'http://127.1/hook',
    'http://0177.0.0.1/hook',
    'http://0x7f000001/hook',
    'http://2130706433/hook',
    'http://10.0.0.8/hook',
    'http://192.168.1.2/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0/hook',
    'http://[::1]/hook',
    'http://[::]/hook',
    'http://[::127.0.0.1]/hook',
    'http://[::ffff:127.0.0.1]/hook',
    'http://[::ffff:0:7f00:1]/hook',
    'http://[64:ff9b::7f00:1]/hook',
    'http://[64:ff9b:1::7f00:1]/hook',
    'http://[2002:7f00:1::]/hook',
    'http://[2001:0:7f00:1::]/hook',
    'http://[fd00::1]/hook',
    'http://[fe80::1]/hook',
    'http://[fe80::1%25eth0]/hook',
  ])('reject the URL %s at creation and PATCH', async given => {
    const client = await bridge().newOrganization();
    const refusal = { status: 400, body: { type: 'invalid_request', args: { field: 'url' } } };
    expect(await client.call('POST', '/webhooks', { url: given })).toMatchObject(refusal);
    const { id } = await client.callOk('POST', '/webhooks', { url });
    expect(await client.call('PATCH', `/webhooks/${id}`, { url: given })).toMatchObject(refusal);
    expect(await client.callOk('GET', `/webhooks/${id}`)).toMatchObject({ url });
  });

  it.each(['https://93.184.215.14/hook', 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/hook'])(
    'accept the URL %s',
    async given => {
      const client = await bridge().newOrganization();
      expect(await client.callOk('POST', '/webhooks', { url: given })).toMatchObject({ url: given });
    },
  );

  it('accept every filter of the event list, and null for any verb', async () => {
    const client = await bridge().newOrganization();
    const filter = [
      { object_type: 'member', verb: null },
      { 'object.type': 'gadget_action', 'object.gadget_id': 'gad_x', 'created_at:gt': '2026-01-01T00:00:00Z' },
      { 'subject.member_id': 'mem_x' },
    ];
    expect(await client.callOk('POST', '/webhooks', { url, filter })).toMatchObject({ filter });
  });
});
