import { expect, it } from 'vitest';
import type { ApiBody } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { technicianKey } from '../../support/technician/technician-key.ts';

describeOnBothDatabases('events', bridge => {
  it('have subject, verb, object, creation time and recording time', async () => {
    const client = await bridge().newOrganization();
    const member = await client.callOk('POST', '/members', {});
    const [event] = (await client.get('/events')).body.data;
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      organization_id: client.organizationId,
      subject: {
        oauth_application_id: client.applicationId,
        ip_address: '127.0.0.1',
        client: expect.objectContaining({ user_agent: expect.any(String) }),
      },
      verb: 'create',
      object: { type: 'member', member_id: member.id },
      created_at: '2026-06-01T10:00:00.000Z',
      occurred_at: '2026-06-01T10:00:00.000Z',
      recorded_at: expect.stringMatching(/^2026-06-01T10:00:00\.\d{6}Z$/),
    });
    expect(await client.callOk('GET', `/events/${event!.id}`)).toEqual(event);
    expect((await (await bridge().newOrganization()).get(`/events/${event!.id}`)).status).toBe(404);
    expect((await client.call('DELETE', `/events/${event!.id}`)).status).toBe(405);
  });

  it('are polled by recorded_at without gaps or duplicates, even within one millisecond', async () => {
    const client = await bridge().newOrganization();
    const seen: string[] = [];
    let last = '2026-01-01T00:00:00.000000Z';
    const poll = async (): Promise<number> => {
      const query = `recorded_at:gt=${encodeURIComponent(last)}&sort=recorded_at:asc&limit=7`;
      const { data } = (await client.get(`/events?${query}`)).body;
      seen.push(...data.map(({ object }) => (object as { member_id: string }).member_id));
      last = (data.at(-1)?.['recorded_at'] as string | undefined) ?? last;
      return data.length;
    };
    const made: Promise<ApiBody>[] = [];
    for (let round = 0; round < 10; round++) {
      for (let index = 0; index < 5; index++) made.push(client.callOk('POST', '/members', {}));
      await poll();
    }
    const members = await Promise.all(made);
    for (let polls = 0; polls < 100 && (await poll()) > 0; polls++);
    expect([...seen].sort()).toEqual(members.map(({ id }) => id).sort());
  });

  it('are bounded by recorded_at in microseconds and by created_at in milliseconds', async () => {
    const client = await bridge().newOrganization();
    for (let index = 0; index < 3; index++) await client.callOk('POST', '/members', {});
    const all = (await client.get('/events?sort=recorded_at:asc')).body.data;
    const times = all.map(({ recorded_at }) => recorded_at as string);
    const found = async (filter: string, time: string) => {
      const { data } = (await client.get(`/events?sort=recorded_at:asc&${filter}=${encodeURIComponent(time)}`)).body;
      return data.map(({ recorded_at }) => recorded_at);
    };
    expect(await found('recorded_at:gt', times[1]!)).toEqual([times[2]]);
    expect(await found('recorded_at:ge', times[1]!)).toEqual([times[1], times[2]]);
    expect(await found('recorded_at:lt', times[1]!)).toEqual([times[0]]);
    expect(await found('recorded_at:le', times[1]!)).toEqual([times[0], times[1]]);
    expect(await found('recorded_at:le', times[1]!.replace('10:', '12:').replace('Z', '+02:00'))).toHaveLength(2);
    const between = '2026-06-01T10:00:00.0005Z';
    expect(await found('created_at:lt', between)).toHaveLength(3);
    expect(await found('created_at:le', between)).toHaveLength(3);
    expect(await found('created_at:gt', between)).toEqual([]);
    expect(await found('created_at:ge', between)).toEqual([]);
    expect(await found('created_at:ge', '2026-06-01T10:00:00Z')).toHaveLength(3);
  });

  it('are filtered by occurred_at, which they can be sorted by', async () => {
    const client = await bridge().newOrganization();
    const started = bridge().now;
    await client.callOk('POST', '/members', {});
    bridge().advanceSeconds(10);
    await client.callOk('POST', '/tags', { name: 'VIP' });
    const types = async (query: string): Promise<string[]> =>
      (await client.callOk('GET', `/events?sort=occurred_at:asc&${query}`)).data.map(
        ({ object }) => (object as { type: string }).type,
      );
    const [first, second] = [new Date(started).toISOString(), new Date(started + 10_000).toISOString()];
    expect(await types(`occurred_at:gt=${first}`)).toEqual(['tag']);
    expect(await types(`occurred_at:ge=${first}`)).toEqual(['member', 'tag']);
    expect(await types(`occurred_at:lt=${second}`)).toEqual(['member']);
    expect(await types(`occurred_at:le=${second}&occurred_at:gt=${first}`)).toEqual(['tag']);
  });

  it('name a technician pass with its own type', async () => {
    const client = await bridge().newOrganization();
    const { siteId } = await createTestDoor(bridge(), client);
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    const { publicKey: public_key } = technicianKey;
    const { id } = await admin.callOk('POST', '/technician_passes', { site_id: siteId, public_key });
    const events = (await client.callOk('GET', `/events?object.technician_pass_id=${id}`)).data;
    expect(events).toMatchObject([
      { verb: 'create', object: { type: 'technician_pass', technician_pass_id: id, site_id: siteId } },
    ]);
    expect(events[0]).not.toHaveProperty('reason');
  });

  it('are filtered by verb, subject and object, and expand them', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId, deviceId, siteId } = await createTestDoor(bridge(), client);
    const member = await client.callOk('POST', '/members', { name: 'Ann' });
    await client.callOk('POST', `/gadgets/${gadgetId}/actions/open`, {});
    await client.call('POST', `/gadgets/${gadgetId}/actions/open/execute_as_member`, { member_id: member.id });
    const found = async (query: string) =>
      (await client.get(`/events?${query}`)).body.data.map(({ verb, object }) => [
        verb,
        (object as { type: string }).type,
      ]);
    expect(await found('verb=use')).toEqual([['use', 'gadget_action']]);
    expect(await found(`subject.member_id=${member.id}`)).toEqual([['deny', 'gadget_action']]);
    expect(await found('subject.access_method=online&verb=deny')).toEqual([['deny', 'gadget_action']]);
    expect(await found('reason=no_group')).toEqual([['deny', 'gadget_action']]);
    expect(await found('reason=member_ended')).toEqual([]);
    expect(await found('verb=deny,use')).toEqual([
      ['deny', 'gadget_action'],
      ['use', 'gadget_action'],
    ]);
    expect(await found(`object.member_id=mem_unknown,${member.id}`)).toEqual([['create', 'member']]);
    expect(await found('subject.type=member,device')).toEqual([['deny', 'gadget_action']]);
    expect(await found(`object.member_id=${member.id}`)).toEqual([['create', 'member']]);
    expect(await found(`object.device_id=${deviceId}&object.type=gadget`)).toEqual([['create', 'gadget']]);
    expect(await found('object.gadget_action_id=open&verb=use')).toEqual([['use', 'gadget_action']]);
    const expand = 'subject_member,subject_oauth_application,object_gadget.device,object_site';
    const [deny] = (await client.get(`/events?verb=deny&expand=${expand}`)).body.data;
    expect(deny).toMatchObject({
      subject_member: { id: member.id, name: 'Ann' },
      subject_oauth_application: { id: client.applicationId },
      object_gadget: { id: gadgetId, device: { id: deviceId } },
      object_site: { id: siteId },
    });
    expect((await client.get('/events?verb=open')).body).toMatchObject({ args: { field: 'verb' } });
    expect((await client.get('/events?recorded_at=2026-06-01T10:00:00Z')).status).toBe(400);
    expect((await client.get('/events?expand=member')).body).toMatchObject({
      message: "Invalid expand 'member' for object 'event'",
    });
  });
});
