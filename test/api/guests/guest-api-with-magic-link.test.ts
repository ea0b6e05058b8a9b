import { dataLocation, runLintel } from '../../support/processes/lintel-command.ts';
import { guestMeResponseSchema } from '@lintel/wire-protocol/guest/guest-api';
import { describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { createGuestWithLink, GuestPhone } from '../../support/bridge/guest-phone.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor } from '../../support/bridge/site-fixtures.ts';

const weekdays = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * 3600, end: end * 3600 }] }));

describeOnBothDatabases('guest with a magic link', bridge => {
  const arrange = async (permissions: object[] = [{}], member: object = {}, site: object = {}) => {
    const client = await bridge().newOrganization();
    const door = await createTestDoor(bridge(), client, site);
    const guest = await createGuestWithLink(client, permissions, member);
    const phone = new GuestPhone(bridge());
    return { client, phone, ...door, ...guest };
  };

  const lastEvent = async (client: Awaited<ReturnType<typeof arrange>>['client'], verb: string) =>
    (await client.get(`/events?sort=recorded_at:desc&limit=1&verb=${verb}`)).body.data[0];

  it('gets a session cookie with HttpOnly and SameSite', async () => {
    const { phone, link } = await arrange();
    const { status, headers } = await phone.openLink(link);
    expect(status).toBe(200);
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(/^lintel_guest=lgs_[\w-]{43}; Max-Age=2592000; Path=\/guest; HttpOnly; SameSite=Lax$/);
    expect((await phone.me()).memberships).toHaveLength(1);
  });

  it('sees sites, doors and actions, and never the member name', async () => {
    const site = {
      name: 'Main house',
      phone: '+34 555 010 101',
      email: 'desk@example.test',
      info: 'Breakfast from 7',
      map: { address: 'Carrer 1', image_url: 'https://images.example.test/house.jpg' },
    };
    const { phone, link, siteId, deviceId, gadgetId, memberId } = await arrange(
      [{ action_id: null }],
      { language: 'es' },
      site,
    );
    await phone.openLink(link);
    const me = await phone.me();
    expect(guestMeResponseSchema.parse(me)).toEqual(me);
    expect(me).toEqual({
      now: '2026-06-01T10:00:00.000Z',
      memberships: [
        {
          member_id: memberId,
          organization_name: 'Test',
          language: 'es',
          starts_at: null,
          ends_at: null,
          contact: { name: 'Test', phone: '+34 555 010 101' },
          pins: 'none',
          has_more: false,
          sites: [
            {
              id: siteId,
              name: 'Main house',
              timezone: 'Europe/Madrid',
              image_url: 'https://images.example.test/house.jpg',
              address: 'Carrer 1',
              phone: '+34 555 010 101',
              email: 'desk@example.test',
              info: 'Breakfast from 7',
              gadgets: [
                {
                  id: gadgetId,
                  device_id: deviceId,
                  name: 'Front door',
                  actions: ['Open', 'Hold open'].map(name => ({
                    id: name === 'Open' ? 'open' : 'hold',
                    name,
                    is_allowed: true,
                    needs_location: false,
                    reason: null,
                    allowed_from: null,
                  })),
                },
              ],
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(me)).not.toContain('do not show');
  });

  it('does not see doors without a permission', async () => {
    const { client, phone, siteId, gadgetId, link } = await arrange([]);
    await phone.openLink(link);
    expect((await phone.me()).memberships[0]?.sites).toEqual([]);
    const { gadgetId: other } = await createTestDevice(bridge(), client, { site_id: siteId });
    const one = await createGuestWithLink(client, [{ gadget_id: gadgetId, action_id: 'open' }]);
    await phone.openLink(one.link);
    const gadgets = (await phone.me()).memberships[0]?.sites[0]?.gadgets;
    expect(gadgets?.map(({ id, actions }) => [id, actions.map(action => action.id)])).toEqual([[gadgetId, ['open']]]);
    expect((await phone.open(other)).body).toMatchObject({
      type: 'permission_denied',
      args: { reason: 'no_matching_rule' },
    });
  });

  it('opens a door, and the event has member, link, method, IP address and user agent', async () => {
    const { client, phone, link, linkId, memberId, gadgetId } = await arrange();
    await phone.openLink(link);
    expect(await phone.open(gadgetId)).toMatchObject({ status: 200, body: {} });
    expect(await lastEvent(client, 'use')).toMatchObject({
      subject: {
        member_id: memberId,
        member_magic_link_id: linkId,
        access_method: 'online',
        ip_address: '203.0.113.20',
        client: { os: 'Android', browser: 'Chrome', device_type: 'mobile' },
      },
      object: { type: 'gadget_action', gadget_id: gadgetId, gadget_action_id: 'open' },
    });
  });

  it('sees the start time before the stay begins', async () => {
    const { client, phone, link, gadgetId } = await arrange([{}], { starts_at: '2026-06-03T13:00:00Z' });
    await phone.openLink(link);
    expect((await phone.me()).memberships[0]?.sites[0]?.gadgets[0]?.actions[0]).toMatchObject({
      is_allowed: false,
      reason: 'member_not_started',
      allowed_from: '2026-06-03T13:00:00.000Z',
    });
    expect(await phone.open(gadgetId)).toMatchObject({
      status: 403,
      body: { type: 'permission_denied', args: { reason: 'member_not_started' } },
    });
    expect(await lastEvent(client, 'deny')).toMatchObject({ reason: 'member_not_started' });
  });

  it('sees when the schedule next allows access, in site-local time', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId } = await createTestDoor(bridge(), client);
    // It is Monday 12:00 in Madrid.
    const schedule = await client.callOk('POST', '/schedules', { name: 'early', weekdays: weekdays(7, 11) });
    const { link } = await createGuestWithLink(client, [{ schedule_id: schedule.id }]);
    const phone = new GuestPhone(bridge());
    await phone.openLink(link);
    expect((await phone.me()).memberships[0]?.sites[0]?.gadgets[0]?.actions[0]).toMatchObject({
      reason: 'out_of_schedule',
      allowed_from: '2026-06-02T05:00:00.000Z',
    });
    expect((await phone.open(gadgetId)).body.args).toEqual({ reason: 'out_of_schedule' });
  });

  it('must send the phone position if a rule requires presence', async () => {
    const geo = { location: { lat: 41.4, lng: 2.2 }, radius: 100 };
    const { client, phone, link, gadgetId } = await arrange([{ presence: 'gps' }], {}, { geo });
    await phone.openLink(link);
    expect((await phone.me()).memberships[0]?.sites[0]?.gadgets[0]?.actions[0]).toMatchObject({
      is_allowed: true,
      needs_location: true,
    });
    expect((await phone.open(gadgetId)).body.args).toEqual({ reason: 'not_present' });
    const far = await phone.open(gadgetId, { location: { lat: 41.5, lng: 2.2, accuracy: 10 } });
    expect(far.body.args).toEqual({ reason: 'not_present' });
    expect((await phone.open(gadgetId, { location: { lat: 41.4001, lng: 2.2, accuracy: 10 } })).status).toBe(200);
    expect(await lastEvent(client, 'use')).toMatchObject({ details: { location: '41.4001,2.2' } });
    const wrong = await phone.open(gadgetId, { location: { lat: 'here', lng: 0 } });
    expect(wrong).toMatchObject({ status: 400, body: { args: { field: 'location.lat' } } });
  });

  it('is unauthorized without a session, with a wrong cookie, or from another origin', async () => {
    const { phone, link, gadgetId } = await arrange();
    expect(await phone.call('GET', '/me')).toMatchObject({ status: 401, body: { type: 'unauthorized' } });
    expect((await phone.open(gadgetId)).status).toBe(401);
    phone.cookie = 'lintel_guest=lgs_guessed';
    expect((await phone.call('GET', '/me')).status).toBe(401);
    await phone.openLink(link);
    const path = `/gadgets/${gadgetId}/actions/open`;
    expect((await phone.call('POST', path, {}, { origin: 'https://evil.example' })).body.type).toBe('forbidden');
    expect((await phone.call('POST', path, {}, { origin: 'null' })).body.type).toBe('forbidden');
    // A form on another site could send this.
    const asText = await phone.call('POST', path, {}, { 'content-type': 'text/plain' });
    expect(asText.body.type).toBe('unsupported_media_type');
    expect((await phone.call('POST', path, {}, { origin: 'http://bridge.test' })).status).toBe(200);
  });

  it('cannot open doors of another organization', async () => {
    const { phone, link } = await arrange();
    const { gadgetId } = await createTestDoor(bridge(), await bridge().newOrganization());
    await phone.openLink(link);
    expect((await phone.open(gadgetId)).status).toBe(404);
    expect((await phone.open('gad_none')).status).toBe(404);
  });

  it('cannot use the link after the link or the member is deleted', async () => {
    const { client, phone, memberId, linkId, link, gadgetId } = await arrange();
    await phone.openLink(link);
    const second = await client.callOk('POST', `/members/${memberId}/magic_links`, {});
    await client.callOk('DELETE', `/members/${memberId}/magic_links/${linkId}`);
    expect((await phone.call('GET', '/me')).status).toBe(401);
    expect((await phone.open(gadgetId)).status).toBe(401);
    expect(await phone.openLink(link)).toMatchObject({ status: 404, body: { type: 'not_found' } });
    await phone.openLink(second['link'] as string);
    await client.callOk('DELETE', `/members/${memberId}`);
    const gone = { status: 403, body: { type: 'permission_denied', args: { reason: 'member_deleted' } } };
    expect(await phone.call('GET', '/me')).toMatchObject(gone);
    expect(await phone.open(gadgetId)).toMatchObject(gone);
    expect(await phone.openLink(second['link'] as string)).toMatchObject(gone);
  });

  it('loses access when the stay ends, and regains it when the stay is extended', async () => {
    const { client, phone, link, memberId, gadgetId } = await arrange([{}], { ends_at: '2026-06-01T10:00:01Z' });
    await phone.openLink(link);
    const before = bridge().now;
    bridge().advanceSeconds(1);
    const over = { status: 403, body: { type: 'permission_denied', args: { reason: 'member_ended' } } };
    expect(await phone.call('GET', '/me')).toMatchObject(over);
    expect(await phone.open(gadgetId)).toMatchObject(over);
    expect(await new GuestPhone(bridge()).openLink(link)).toMatchObject(over);
    await client.callOk('PATCH', `/members/${memberId}`, { ends_at: '2026-07-01T10:00:00Z' });
    expect((await phone.open(gadgetId)).status).toBe(200);
    bridge().advanceSeconds(31 * 86_400);
    expect((await phone.call('GET', '/me')).status).toBe(401);
    bridge().now = before;
  });

  it('logs out, and the cookie becomes invalid', async () => {
    const { phone, link } = await arrange();
    await phone.openLink(link);
    const { cookie } = phone;
    expect((await phone.call('DELETE', '/session')).status).toBe(200);
    expect(phone.cookie).toBeNull();
    phone.cookie = cookie;
    expect((await phone.call('GET', '/me')).status).toBe(401);
  });

  it('gets no session and no redirect from a GET of the link', async () => {
    const { client, link } = await arrange();
    const events = (await client.get('/events')).body.data.length;
    for (const url of [new URL(link).pathname, '/g/nonsense', '/guest', '/guest/login']) {
      const answer = await bridge().app.inject({ method: 'GET', url });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(answer.headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'sha256-[^']+' 'self'; /,
      );
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).not.toContain(link.split('/g/')[1]);
    }
    expect((await client.get('/events')).body.data).toHaveLength(events);
  });

  it('loads less than 15 kB until the first door is visible', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' };
    const answer = await bridge().app.inject({ method: 'GET', url: '/guest', headers });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.rawPayload.length).toBeLessThan(15_000);
    const plain = await bridge().app.inject({ method: 'GET', url: '/guest' });
    // The page is one file without further requests.
    expect(plain.body).not.toMatch(/<script[^>]+src=|<link[^>]+stylesheet/);
  });
});

describe('magic link', () => {
  it('keeps working after another process rotates the master key', async () => {
    const bridge = await TestBridge.open();
    try {
      const { link } = await createGuestWithLink(await bridge.newOrganization(), [{}]);
      expect(await runLintel('keys', 'rotate', ...dataLocation(bridge))).toMatchObject({ code: 0 });
      expect((await new GuestPhone(bridge).openLink(link)).status).toBe(200);
    } finally {
      await bridge.close();
    }
  });
});
