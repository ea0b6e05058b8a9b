import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { readVerifiedTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { technicianKey } from '../../support/technician/technician-key.ts';

describeOnSqliteFirst('POST /technician_passes', bridge => {
  const { publicKey: public_key } = technicianKey;
  const openSite = async () => {
    const { client, controller, siteId } = await ControllerSite.open(bridge());
    const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [siteId]);
    const { organization_id, site_id, device_id, organization_key } = controller.claimed;
    const read = (pass: unknown, change: object = {}) =>
      readVerifiedTechnicianPass(
        String(pass),
        { organization_id, site_id, device_id, now: bridge().now, ...change },
        createSignatureVerifier(organization_key),
      );
    const issue = (request: object) => technician.call('POST', '/technician_passes', { public_key, ...request });
    return { client, siteId, device_id, technician, read, issue };
  };

  it('certifies the key of a technician for their site, and controllers can verify it offline', async () => {
    const { client, siteId, technician, read, issue } = await openSite();
    const { body } = await issue({ site_id: siteId });
    expect(body).toMatchObject({
      site_id: siteId,
      device_id: null,
      expires_at: new Date(bridge().now + 86_400_000).toISOString(),
    });
    expect(read(body['pass'])).toMatchObject({ ok: true, value: { user_id: technician.userId, public_key } });
    const other = await createTestSite(bridge(), client);
    expect((await issue({ site_id: other })).status).toBe(400);
    const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
    expect((await viewer.call('POST', '/technician_passes', { site_id: siteId, public_key })).status).toBe(403);
  });

  it('limits a pass to one controller of the site', async () => {
    const { client, siteId, device_id, read, issue } = await openSite();
    const { body } = await issue({ site_id: siteId, device_id });
    expect(read(body['pass'])).toMatchObject({ ok: true, value: { device_id } });
    expect(read(body['pass'], { device_id: 'dev_other' })).toMatchObject({ problems: [{ code: 'wrong_device' }] });
    const { deviceId } = await createTestDevice(bridge(), client, {
      site_id: await createTestSite(bridge(), client),
    });
    for (const other of [deviceId, 'dev_none']) {
      const refused = await issue({ site_id: siteId, device_id: other });
      expect([refused.status, refused.body]).toMatchObject([400, { args: { field: 'device_id' } }]);
    }
  });

  it('rejects a missing or invalid key and a lifetime of more than a week', async () => {
    const { siteId, issue } = await openSite();
    const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url');
    const requests: [object, string][] = [
      [{ public_key: undefined }, 'public_key'],
      [{ public_key: 'nonsense' }, 'public_key'],
      [{ public_key: offCurve }, 'public_key'],
      [{ expires_in: 7 * 86_400 + 1 }, 'expires_in'],
      [{ expires_in: 59 }, 'expires_in'],
    ];
    for (const [request, field] of requests) {
      const refused = await issue({ site_id: siteId, ...request });
      expect([refused.status, refused.body]).toMatchObject([400, { args: { field } }]);
    }
    const week = await issue({ site_id: siteId, expires_in: 7 * 86_400 });
    expect(week.body['expires_at']).toBe(new Date(bridge().now + 7 * 86_400_000).toISOString());
  });
});
