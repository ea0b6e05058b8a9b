import { decidePermission } from '@lintel/access-core/permission/decide';
import type { AccessRequest } from '@lintel/access-core/access-data-types';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createMemberGroupAssociationRequestSchema } from '@lintel/wire-protocol/rest/member-group-association';
import { createScheduleRequestSchema } from '@lintel/wire-protocol/rest/schedule';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGroupAssociation } from '../resources/group-associations.ts';
import { deleteGadget } from '../resources/gadgets.ts';
import { createMemberGroup, deleteMemberGroup, editMemberGroup } from '../resources/member-groups.ts';
import { createMember, deleteMember, editMember } from '../resources/members.ts';
import { createSchedule, deleteSchedule } from '../resources/schedules.ts';
import { deleteSite, editSite } from '../resources/sites.ts';
import type { GadgetRow, MemberRow, SiteRow } from '../storage/schema.ts';
import { parseTestBody, useTestOrganization } from '../test-organization.test-support.ts';
import { TEST_START_TIME } from '../testing/sqlite-template.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { loadMemberAccessDataForGadget } from './load-member-access-data.ts';

const test = useTestOrganization();
let site: SiteRow;
let door: GadgetRow;
let member: MemberRow;
beforeEach(async () => {
  site = await test.organization.site();
  door = (await test.organization.device(site.id)).gadgets[0]!;
  member = await write(context => createMember(context, parseTestBody(createMemberRequestSchema, {})));
});

const write = <T>(work: (context: WriteContext) => Promise<T>) => test.organization.write(work);
const group = async (...permissions: object[]): Promise<string> =>
  (await write(context => createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, { permissions }))))
    .id;
const join = (member_group_id: string, validity: object = {}) =>
  write(context =>
    createGroupAssociation(
      context,
      member.id,
      parseTestBody(createMemberGroupAssociationRequestSchema, { member_group_id, ...validity }),
    ),
  );
/** A schedule of one range, the same on every day. */
const schedule = async (start: number, end: number): Promise<string> => {
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start, end }] }));
  return (await write(context => createSchedule(context, parseTestBody(createScheduleRequestSchema, { weekdays })))).id;
};

/** Returns `grant` or the denial reason. Default time: Monday, 10:00 UTC. */
const outcomeAt = async (now: number = TEST_START_TIME, actionId = 'open'): Promise<string> => {
  const { storage } = test.database.services;
  const database = { db: storage.reader, engine: storage.engine, organizationId: test.organization.id };
  const row = await storage.reader.selectFrom('members').selectAll().where('id', '=', member.id).executeTakeFirst();
  const accessData = await loadMemberAccessDataForGadget(database, row!, door);
  const request = {
    member_id: member.id,
    gadget_id: door.id,
    action_id: actionId,
    access_method: 'user',
    now,
    time_trusted: true,
    location: null,
  } as unknown as AccessRequest;
  const decision = decidePermission(accessData, request) as { outcome: string; reason?: string };
  return decision.reason ?? decision.outcome;
};

describe('Access of a member', () => {
  it('is denied without a group', async () => {
    expect(await outcomeAt()).not.toBe('grant');
  });

  it.each([
    ['the site', () => ({ site_id: site.id })],
    ['the gadget', () => ({ gadget_id: door.id })],
    ['the action', () => ({ gadget_id: door.id, action_id: 'open' })],
  ])('is granted by a rule for %s', async (_, rule) => {
    await join(await group(rule()));
    expect(await outcomeAt()).toBe('grant');
  });

  it('is denied for an action that the rule does not include', async () => {
    await join(await group({ gadget_id: door.id, action_id: 'open' }));
    expect(await outcomeAt(TEST_START_TIME, 'close')).not.toBe('grant');
  });

  it('is inherited over several groups', async () => {
    const base = await group({ site_id: site.id });
    const middle = await group({ member_group_id: base });
    await join(await group({ member_group_id: middle }));
    expect(await outcomeAt()).toBe('grant');
    await write(context => deleteMemberGroup(context, middle));
    expect(await outcomeAt()).not.toBe('grant');
  });

  it('follows an edit of an inherited group', async () => {
    const base = await group({ site_id: site.id });
    await join(await group({ member_group_id: base }));
    await write(context => editMemberGroup(context, base, { permissions: [] }));
    expect(await outcomeAt()).not.toBe('grant');
  });

  it('is limited by a schedule in the time zone of the site', async () => {
    await write(context => editSite(context, site.id, { timezone: 'Europe/Madrid' }));
    await join(await group({ site_id: site.id, schedule_id: await schedule(12 * 3600, 13 * 3600) }));
    expect(await outcomeAt()).toBe('grant');
    expect(await outcomeAt(TEST_START_TIME - 1)).not.toBe('grant');
    expect(await outcomeAt(TEST_START_TIME + 3_600_000)).not.toBe('grant');
  });

  it('is not granted through a deleted schedule', async () => {
    const id = await schedule(0, 86_400);
    await write(context => editSite(context, site.id, { timezone: 'UTC' }));
    await join(await group({ site_id: site.id, schedule_id: id }));
    expect(await outcomeAt()).toBe('grant');
    await write(context => deleteSchedule(context, id));
    expect(await outcomeAt()).not.toBe('grant');
  });

  it('is limited by the validity of the association and of the member', async () => {
    await join(await group({ site_id: site.id }), {
      starts_at: '2026-06-01T09:00:00Z',
      ends_at: '2026-06-01T11:00:00Z',
    });
    expect(await outcomeAt()).toBe('grant');
    expect(await outcomeAt(Date.parse('2026-06-01T08:59:59Z'))).not.toBe('grant');
    expect(await outcomeAt(Date.parse('2026-06-01T11:00:00Z'))).not.toBe('grant');
    await write(context => editMember(context, member.id, { ends_at: '2026-06-01T09:30:00.000Z' as never }));
    expect(await outcomeAt()).not.toBe('grant');
  });

  it.each([
    ['the member', () => write(context => deleteMember(context, member.id))],
    ['the gadget', () => write(context => deleteGadget(context, door.id))],
    ['the site', () => write(context => deleteSite(context, site.id, { isForced: true }))],
  ])('ends when %s is deleted', async (_, remove) => {
    await join(await group({ site_id: site.id }));
    expect(await outcomeAt()).toBe('grant');
    await remove();
    expect(await outcomeAt()).not.toBe('grant');
  });

  it('is not granted by the groups of another organization', async () => {
    const other = await test.database.addOrganization();
    const foreign = await other.write(context =>
      createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, {})),
    );
    await join(await group());
    const { writer } = test.database.services.storage;
    const permissions = JSON.stringify([{ site_id: site.id }]);
    await writer.updateTable('member_groups').set({ permissions }).where('id', '=', foreign.id).execute();
    await writer
      .updateTable('member_group_associations')
      .set({ member_group_id: foreign.id })
      .where('member_id', '=', member.id)
      .execute();
    expect(await outcomeAt()).not.toBe('grant');
  });
});
