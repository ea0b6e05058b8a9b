import { TEST_PASSWORD } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { adminWithScriptToken, openAdminSession, uniqueEmail } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';

const P256_KEY = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';

describeOnSqliteFirst('fresh login', bridge => {
  const newOwner = async () => {
    const client = await bridge().newOrganization();
    return { client, owner: await openAdminSession(bridge(), client.organizationId, 'owner') };
  };
  const prove = (owner: Awaited<ReturnType<typeof newOwner>>['owner'], proof: object) =>
    owner.callRoot('POST', '/session/proof', proof);

  it('is required for what gives lasting power or takes data away, and for nothing else', async () => {
    const { client, owner } = await newOwner();
    const { id: member } = await client.callOk('POST', '/members', { name: 'Ann' });
    const site_id = await createTestSite(bridge(), client);
    const other = await openAdminSession(bridge(), client.organizationId, 'viewer');
    const { id: application } = await owner.callOk('POST', '/applications', { name: 'PMS', redirect_uris: [] });
    const invited = await owner.callOk('POST', '/users', { email: uniqueEmail(), role: 'viewer' });
    const pass = { site_id, public_key: P256_KEY };
    const sensitive = [
      ['POST', '/tokens', { name: 'x', scope: 'full_read_only' }],
      ['POST', '/users', { email: uniqueEmail(), role: 'administrator' }],
      ['POST', '/users', { email: uniqueEmail(), role: 'owner' }],
      ['POST', `/users/${invited.id}/invitation`, undefined],
      ['PATCH', `/users/${other.userId}`, { role: 'administrator' }],
      ['POST', '/applications', { name: 'x', redirect_uris: [] }],
      ['PATCH', `/applications/${application}`, { redirect_uris: ['https://x.example/cb'] }],
      ['POST', `/applications/${application}/rotate_secret`, {}],
      ['GET', `/members/${member}/personal_data`, undefined],
      ['POST', '/technician_passes', { ...pass, expires_in: 604_800 }],
    ] as const;
    const ordinary = [
      ['POST', '/users', { email: uniqueEmail(), role: 'front_desk' }],
      ['PATCH', `/users/${other.userId}`, { role: 'front_desk' }],
      ['PATCH', `/applications/${application}`, { name: 'Booking' }],
      ['POST', '/technician_passes', { ...pass, expires_in: 3600 }],
      ['DELETE', `/users/${other.userId}`, undefined],
    ] as const;
    bridge().advanceSeconds(600);
    for (const [method, path, body] of sensitive) {
      const { status, body: answer } = await owner.call(method, path, body);
      expect([method, path, status, answer['args']]).toEqual([method, path, 403, { reason: 'fresh_login_required' }]);
    }
    for (const [method, path, body] of ordinary) await owner.callOk(method, path, body);
    const successor = await openAdminSession(bridge(), client.organizationId, 'viewer');
    expect((await prove(owner, { password: TEST_PASSWORD })).status).toBe(200);
    for (const [method, path, body] of sensitive)
      await owner.callOk(method, path.replace(other.userId, successor.userId), body);
  });

  it('lasts ten minutes, and only in the session that proved it', async () => {
    const { owner } = await newOwner();
    const rotate = () => owner.call('POST', '/applications', { name: 'x', redirect_uris: [] });
    bridge().advanceSeconds(599);
    expect((await rotate()).status).toBe(200);
    bridge().advanceSeconds(1);
    expect((await rotate()).status).toBe(403);
    expect((await prove(owner, { password: TEST_PASSWORD })).status).toBe(200);
    expect((await rotate()).status).toBe(200);
    bridge().advanceSeconds(600);
    expect((await rotate()).status).toBe(403);
  });

  it('rejects a wrong password and limits guesses', async () => {
    const { owner } = await newOwner();
    bridge().advanceSeconds(600);
    const wrong = await prove(owner, { password: 'a guess that is wrong' });
    expect([wrong.status, wrong.body['args']]).toEqual([400, { field: 'password' }]);
    for (let count = 1; count < 5; count++) await prove(owner, { password: `guess ${count}` });
    expect((await prove(owner, { password: TEST_PASSWORD })).status).toBe(429);
    expect((await prove(owner, {})).status).toBe(400);
    const answer = await prove(owner, { passkey: '{"id":"x"}' });
    expect([answer.status, answer.body['args']]).toEqual([400, { field: 'passkey' }]);
    expect((await owner.callRoot('GET', '/session/proof')).body).toEqual({ passkey_options: null });
    expect((await owner.call('POST', '/tokens', { name: 'x', scope: 'full_read_only' })).status).toBe(403);
  });

  it('is for sessions only: a token cannot prove anything again', async () => {
    const { owner } = await newOwner();
    const script = await adminWithScriptToken(bridge(), owner.organizationId);
    expect((await script.callRoot('POST', '/session/proof', { password: TEST_PASSWORD })).status).toBe(403);
    await script.callOk('POST', '/applications', { name: 'x', redirect_uris: [] });
  });
});
