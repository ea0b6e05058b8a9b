import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createGuestWithLink, GuestPhone } from '../../support/bridge/guest-phone.ts';
import { createTestDevice, createTestDoor, createTestSite } from '../../support/bridge/site-fixtures.ts';

describeOnBothDatabases('PINs on the guest page', bridge => {
  const arrange = async (permissions: object[] = [{}]) => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    const { gadgetId } = await createTestDoor(bridge(), client, { name: 'Main house', phone: '+34 555 010 101' });
    const guest = await createGuestWithLink(client, permissions);
    const { pin } = await client.callOk('POST', `/members/${guest.memberId}/pins`, { pin: '0042' });
    const phone = new GuestPhone(bridge());
    await phone.openLink(guest.link);
    const reveal = (body: object = {}) => phone.call('POST', '/pins/reveal', body);
    return { client, admin, gadgetId, phone, pin, reveal, ...guest };
  };

  it('are shown with what to type at each door, and each time is logged', async () => {
    const { client, admin, phone, reveal, memberId, linkId } = await arrange();
    expect((await phone.me()).memberships[0]?.pins).toBe('online');
    const site_id = await createTestSite(bridge(), client, { name: 'Annex' });
    const { deviceId, gadgetIds } = await createTestDevice(bridge(), client, { site_id });
    const rules = [{ code: '12', gadget_id: gadgetIds[0], action_id: 'open' }];
    await admin.callOk('PUT', `/devices/${deviceId}/input_rules`, { input_rules: rules });
    const { status, headers, body } = await reveal();
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body['pins']).toEqual([{ pin: '0042' }]);
    expect(body['entries']).toEqual([
      { door: 'Front door', site: 'Main house', code: '' },
      { door: 'Front door', site: 'Annex', code: '12' },
    ]);
    const events = (await client.get('/events?verb=reveal')).body.data;
    expect(events).toMatchObject([
      {
        reason: 'guest_page',
        subject: { member_id: memberId, member_magic_link_id: linkId, ip_address: phone.ip },
        object: { type: 'member_pin', member_id: memberId },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('0042');
  });

  it('are those of the own member only', async () => {
    const { client, reveal, memberId } = await arrange();
    const other = await createGuestWithLink(client, [{}]);
    await client.callOk('POST', `/members/${other.memberId}/pins`, { pin: '7788' });
    const refused = await reveal({ member_id: other.memberId });
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'member_id' } } });
    expect((await reveal({ member_id: memberId })).body['pins']).toEqual([{ pin: '0042' }]);
    const stranger = new GuestPhone(bridge());
    expect((await stranger.call('POST', '/pins/reveal', {})).status).toBe(401);
  });

  it('are refused to other sites, after the access has ended and after the link is deleted', async () => {
    const { client, phone, reveal, memberId, linkId } = await arrange();
    const foreign = await phone.call('POST', '/pins/reveal', {}, { origin: 'https://evil.test' });
    expect(foreign.status).toBe(403);
    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-06-01T09:00:00Z' });
    expect(await reveal()).toMatchObject({ status: 403, body: { type: 'permission_denied' } });
    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: null });
    await client.callOk('DELETE', `/members/${memberId}/magic_links/${linkId}`);
    expect((await reveal()).status).toBe(401);
    expect((await client.get('/events?verb=reveal')).body.data).toEqual([]);
  });

  it('are not shown if the organization switches that off', async () => {
    const { admin, phone, reveal } = await arrange();
    expect(await admin.callOk('GET', '')).toMatchObject({ guest_pins: 'online' });
    await admin.callOk('PATCH', '', { guest_pins: 'offline' });
    expect((await phone.me()).memberships[0]?.pins).toBe('offline');
    await admin.callOk('PATCH', '', { guest_pins: 'off' });
    expect((await phone.me()).memberships[0]?.pins).toBe('none');
    expect(await reveal()).toMatchObject({ status: 403, body: { type: 'forbidden' } });
  });

  it('can be read ten times at once', async () => {
    const { reveal } = await arrange();
    for (let time = 1; time <= 10; time++) expect((await reveal()).status).toBe(200);
    expect(await reveal()).toMatchObject({ status: 429, body: { type: 'rate_limited' } });
  });

  it('tells whom to call, also after the end and with a link that is not valid', async () => {
    const { client, admin, phone, link, memberId, linkId } = await arrange();
    expect((await phone.me()).memberships[0]?.contact).toEqual({ name: 'Test', phone: '+34 555 010 101' });
    await admin.callOk('PATCH', '', { guest_contact_name: 'Night desk', guest_contact_phone: '+34 555 020 202' });
    const contact = { contact_name: 'Night desk', contact_phone: '+34 555 020 202' };
    const [name, telephone] = Object.values(contact);
    expect((await phone.me()).memberships[0]?.contact).toEqual({ name, phone: telephone });
    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-06-01T09:00:00Z' });
    expect((await phone.call('GET', '/me')).body).toMatchObject({ type: 'permission_denied', args: contact });
    await client.callOk('DELETE', `/members/${memberId}/magic_links/${linkId}`);
    expect((await phone.openLink(link)).body).toMatchObject({ type: 'not_found', args: contact });
    // Of which organization, only the operator of one with a single organization could tell.
    await bridge().newOrganization();
    expect((await phone.openLink('https://x.test/g/unknown')).body).toMatchObject({ type: 'not_found', args: {} });
  });
});
