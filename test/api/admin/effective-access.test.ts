import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';

const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] }));

describeOnSqliteFirst('effective access', bridge => {
  let owner: AdminClient;
  let here: Awaited<ReturnType<typeof createTestDoor>>;
  let elsewhere: Awaited<ReturnType<typeof createTestDoor>>;
  let groupId: string;
  let scheduleId: string;
  let ann: string;

  beforeAll(async () => {
    const client = await bridge().newOrganization();
    owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    here = await createTestDoor(bridge(), client);
    elsewhere = await createTestDoor(bridge(), client);
    await owner.callOk('PATCH', `/sites/${here.siteId}`, { timezone: 'Europe/Berlin' });
    scheduleId = (await owner.callOk('POST', '/schedules', { name: 'Day', weekdays })).id;
    const permissions = [
      { gadget_id: here.gadgetId, action_id: 'open', schedule_id: scheduleId, access_methods: { pin: true } },
    ];
    groupId = (await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions })).id;
    ann = await createMember({ name: 'Ann', ends_at: '2100-01-01T00:00:00.000Z' });
  });

  const createMember = async (body: object, association: object | null = {}): Promise<string> => {
    const { id } = await owner.callOk('POST', '/members', body);
    if (association !== null) {
      await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: groupId, ...association });
    }
    return id;
  };

  describe('GET /members/:id/access', () => {
    it('lists actions with methods, schedules, validity and groups', async () => {
      expect(await owner.callOk('GET', `/members/${ann}/access`)).toMatchObject({
        member_id: ann,
        is_complete: true,
        access: [
          {
            gadget_id: here.gadgetId,
            site_id: here.siteId,
            action_id: 'open',
            grants: [
              {
                member_group_id: groupId,
                access_methods: ['pin'],
                schedule_ids: [scheduleId],
                requires_presence: false,
                starts_at: null,
                ends_at: '2100-01-01T00:00:00.000Z',
              },
            ],
          },
        ],
      });
    });

    it('is empty without a valid association, and 404 for an unknown member', async () => {
      const none = await createMember({}, null);
      expect(await owner.callOk('GET', `/members/${none}/access`)).toMatchObject({ access: [] });
      const ended = await createMember({}, { ends_at: '2000-01-01T00:00:00Z' });
      expect(await owner.callOk('GET', `/members/${ended}/access`)).toMatchObject({ access: [] });
      expect((await owner.get('/members/mem_01jx5m8z6q0000000000000001/access')).status).toBe(404);
    });
  });

  describe('GET /gadgets/:id/members', () => {
    it('lists the members with access now or later, page by page', async () => {
      const later = await createMember({ name: 'Later' }, { starts_at: '2090-01-01T00:00:00Z' });
      await createMember({ name: 'Ended' }, { ends_at: '2000-01-01T00:00:00Z' });
      await createMember({ name: 'Deleted' }).then(id => owner.callOk('DELETE', `/members/${id}`));
      const path = `/gadgets/${here.gadgetId}/members`;
      const first = await owner.callOk('GET', `${path}?limit=1`);
      expect(first.data).toMatchObject([{ member_id: later, name: 'Later', access: [{ action_id: 'open' }] }]);
      const second = await owner.callOk('GET', `${path}?limit=1&cursor=${first.cursor_next}`);
      expect(second).toMatchObject({ data: [{ member_id: ann }], has_next: false });
      expect((await owner.callOk('GET', `/gadgets/${elsewhere.gadgetId}/members`)).data).toEqual([]);
      expect((await owner.get('/gadgets/gad_01jx5m8z6q0000000000000001/members')).status).toBe(404);
    });
  });
});
