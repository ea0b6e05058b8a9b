import { createPublicKey, verify } from 'node:crypto';
import { dataLocation, runLintel } from '../../support/processes/lintel-command.ts';
import { readVerifiedClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import { expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import type { ApiBody } from '../../support/bridge/test-bridge.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';

const field = ({ body }: { body: Readonly<Record<string, unknown>> }): string | undefined =>
  (body['args'] as Record<string, string>)['field'];

const verifyWith = (organizationKey: string, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    bytes,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: organizationKey }, format: 'jwk' }),
    signature,
  );

const HOUR = 3600;

describeOnSqliteFirst('claim ticket', bridge => {
  const arrange = async () => {
    const client = await bridge().newOrganization();
    const place = await createTestDoor(bridge(), client);
    const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [place.siteId]);
    return { client, technician, ...place };
  };
  const issue = (technician: AdminClient, body: object): Promise<ApiBody> =>
    technician.callOk('POST', '/claim_tickets', body);
  const read = (ticket: unknown, now: number = bridge().now) =>
    readVerifiedClaimTicket(String(ticket), verifyWith, now);

  it('is signed by the key of the organization and names bridge, organization, site and device', async () => {
    const { technician, client, siteId, deviceId } = await arrange();
    const issued = await issue(technician, { site_id: siteId, device_id: deviceId, expires_in: HOUR });
    const expires_at = bridge().now + HOUR * 1000;
    const ticket = read(issued['ticket']);
    expect(ticket).toMatchObject({
      ok: true,
      value: {
        v: 1,
        id: issued.id,
        organization_id: client.organizationId,
        site_id: siteId,
        device_id: deviceId,
        bridge_url: 'http://bridge.test',
        ca_fingerprint: null,
        expires_at,
      },
    });
    expect(issued).toMatchObject({ status: 'open', expires_at: new Date(expires_at).toISOString() });
    expect(read(issued['ticket'], expires_at)).toMatchObject({ ok: false });
    const again = read((await issue(technician, { site_id: siteId }))['ticket']);
    if (!ticket.ok || !again.ok) throw new Error('unreadable');
    expect(again.value.organization_key).toBe(ticket.value.organization_key);
    expect(again.value.device_id).toBeNull();
    expect(again.value.id).not.toBe(ticket.value.id);
    const other = await arrange();
    const foreign = read((await issue(other.technician, { site_id: other.siteId }))['ticket']);
    expect(foreign.ok && foreign.value.organization_key).not.toBe(ticket.value.organization_key);
  });

  it('has a code of 60 bits, and neither code nor ticket is stored or shown again', async () => {
    const { technician, siteId } = await arrange();
    const { ticket, code, bridge_url, ca_fingerprint, ...shown } = await issue(technician, { site_id: siteId });
    expect({ bridge_url, ca_fingerprint }).toEqual({ bridge_url: 'http://bridge.test', ca_fingerprint: null });
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect((await technician.get('/claim_tickets')).body.data).toEqual([shown]);
    const rows = await bridge().services.storage.reader.selectFrom('claim_tickets').selectAll().execute();
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(String(code));
    expect(stored).not.toContain(String(code).replaceAll('-', ''));
    expect(stored).not.toContain(String(ticket));
  });

  it('is open until it is revoked or expires', async () => {
    const { client, technician, siteId } = await arrange();
    const [open, revoked] = [
      await issue(technician, { site_id: siteId, expires_in: HOUR }),
      await issue(technician, { site_id: siteId }),
    ];
    const response = await technician.callOk('DELETE', `/claim_tickets/${revoked.id}`);
    expect(response).toMatchObject({ id: revoked.id, status: 'revoked' });
    expect(await technician.callOk('DELETE', `/claim_tickets/${revoked.id}`)).toEqual(response);
    const statuses = async () =>
      Object.fromEntries(
        (await technician.get(`/claim_tickets?site_id=${siteId}`)).body.data.map(({ id, status }) => [id, status]),
      );
    expect(await statuses()).toEqual({ [open.id]: 'open', [revoked.id]: 'revoked' });
    bridge().advanceSeconds(HOUR - 1);
    expect(await statuses()).toMatchObject({ [open.id]: 'open' });
    bridge().advanceSeconds(1);
    expect(await statuses()).toEqual({ [open.id]: 'expired', [revoked.id]: 'revoked' });
    expect(await technician.callOk('DELETE', `/claim_tickets/${open.id}`)).toMatchObject({ status: 'expired' });
    expect((await eventsOf(bridge(), client)).filter(event => event.includes('claim_ticket'))).toEqual([
      `create claim_ticket ${siteId} ${open.id}`,
      `create claim_ticket ${siteId} ${revoked.id}`,
      `delete claim_ticket ${siteId} ${revoked.id}`,
    ]);
  });

  it('is rejected for an unknown site or device, a device of another site, and an invalid lifetime', async () => {
    const { client, technician, siteId } = await arrange();
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const elsewhere = await createTestDoor(bridge(), client);
    const rejectedField = async (body: object) => field(await owner.call('POST', '/claim_tickets', body));
    expect(await rejectedField({ site_id: 'site_none' })).toBe('site_id');
    expect(await rejectedField({ site_id: siteId, device_id: 'dev_none' })).toBe('device_id');
    expect(await rejectedField({ site_id: siteId, device_id: elsewhere.deviceId })).toBe('device_id');
    expect(await rejectedField({ site_id: siteId, expires_in: 59 })).toBe('expires_in');
    expect(await rejectedField({ site_id: siteId, expires_in: 31 * 24 * HOUR })).toBe('expires_in');
    expect((await owner.call('DELETE', '/claim_tickets/clt_none')).status).toBe(404);
    const other = await arrange();
    const { id } = await issue(other.technician, { site_id: other.siteId });
    expect((await technician.call('DELETE', `/claim_tickets/${id}`)).status).toBe(404);
  });

  it('is signed by the same key after the master key is rotated', async () => {
    const { technician, siteId } = await arrange();
    const keyOf = async () => {
      const ticket = read((await issue(technician, { site_id: siteId }))['ticket']);
      if (!ticket.ok) throw new Error('unreadable');
      return ticket.value.organization_key;
    };
    const before = await keyOf();
    expect(await runLintel('keys', 'rotate', ...dataLocation(bridge()))).toMatchObject({ code: 0 });
    expect(await keyOf()).toBe(before);
  });
});
