import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { createMemberGroupRequestSchema, editMemberGroupRequestSchema } from '@lintel/wire-protocol/rest/member-group';
import { createMemberGroupAssociationRequestSchema } from '@lintel/wire-protocol/rest/member-group-association';
import { createScheduleRequestSchema } from '@lintel/wire-protocol/rest/schedule';
import { describe, expect, it } from 'vitest';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createGroupAssociation } from './group-associations.ts';
import { createMemberGroup, deleteMemberGroup, editMemberGroup } from './member-groups.ts';
import { createMember } from './members.ts';
import { createSchedule, deleteSchedule, editSchedule } from './schedules.ts';
import { deleteSite } from './sites.ts';

const test = useTestOrganization();
const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }));
const create = (permissions: object[], given: object = {}, organization = test.organization) =>
  organization.write(context =>
    createMemberGroup(context, parseTestBody(createMemberGroupRequestSchema, { permissions, ...given })),
  );
const edit = (id: string, given: object) =>
  test.organization.write(context => editMemberGroup(context, id, parseTestBody(editMemberGroupRequestSchema, given)));
const newSchedule = () =>
  test.organization.write(context =>
    createSchedule(context, parseTestBody(createScheduleRequestSchema, { weekdays: always })),
  );

describe('createMemberGroup', () => {
  it('accepts rules whose references exist', async () => {
    const site = await test.organization.site();
    const { gadgets } = await test.organization.device(site.id);
    const schedule = await newSchedule();
    const group = await create([
      { site_id: site.id, schedule_id: schedule.id },
      { gadget_id: gadgets[0]!.id, action_id: 'open' },
    ]);
    expect(JSON.parse(group.permissions)).toHaveLength(2);
  });

  it.each([
    ['site_id', 'site'],
    ['gadget_id', 'gadget'],
    ['schedule_id', 'schedule'],
    ['member_group_id', 'member_group'],
  ] as const)('names the rule whose %s does not exist', async (field, kind) => {
    const site = await test.organization.site();
    const missing = { site_id: site.id, ...(field === 'gadget_id' ? { site_id: null } : {}) };
    const rules = [{ site_id: site.id }, { ...missing, [field]: test.database.services.newId(kind) }];
    if (field === 'member_group_id') delete (rules[1] as { site_id?: unknown }).site_id;
    expect(await captureApiError(create(rules))).toBe(`invalid_request: permissions.1.${field}`);
  });

  it('rejects a deleted site and a site of another organization', async () => {
    const site = await test.organization.site();
    await test.organization.write(context => deleteSite(context, site.id));
    expect(await captureApiError(create([{ site_id: site.id }]))).toBe('invalid_request: permissions.0.site_id');
    const foreign = await (await test.database.addOrganization()).site();
    expect(await captureApiError(create([{ site_id: foreign.id }]))).toBe('invalid_request: permissions.0.site_id');
  });

  it('rejects an action that the gadget does not have', async () => {
    const site = await test.organization.site();
    const { gadgets } = await test.organization.device(site.id);
    const rule = { gadget_id: gadgets[0]!.id, action_id: 'explode' };
    expect(await captureApiError(create([rule]))).toBe('invalid_request: permissions.0.action_id');
  });
});

describe('editMemberGroup', () => {
  it('rejects rules that make the group inherit from itself', async () => {
    const { id } = await create([]);
    expect(await captureApiError(edit(id, { permissions: [{ member_group_id: id }] }))).toBe(
      'invalid_request: permissions.0.member_group_id',
    );
  });

  it('rejects a cycle through other groups and reports the rule that closes it', async () => {
    const top = await create([]);
    const middle = await create([{ member_group_id: top.id }]);
    const bottom = await create([{ member_group_id: middle.id }]);
    const site = await test.organization.site();
    const permissions = [{ site_id: site.id }, { member_group_id: bottom.id }];
    expect(await captureApiError(edit(top.id, { permissions }))).toBe('invalid_request: permissions.1.member_group_id');
    expect((await edit(top.id, {})).permissions).toBe('[]');
  });

  it('accepts two inheritance paths to the same group', async () => {
    const base = await create([]);
    const [left, right] = [await create([{ member_group_id: base.id }]), await create([{ member_group_id: base.id }])];
    const permissions = [{ member_group_id: left.id }, { member_group_id: right.id }];
    expect(JSON.parse((await create(permissions)).permissions)).toHaveLength(2);
  });

  it('records nothing for equal rules', async () => {
    const site = await test.organization.site();
    const { id } = await create([{ site_id: site.id }]);
    expect(await test.organization.eventsOf(() => edit(id, { permissions: [{ site_id: site.id }] }))).toEqual([]);
  });
});

describe('deleteMemberGroup', () => {
  it('leaves rules that refer to it in place', async () => {
    const base = await create([]);
    const derived = await create([{ member_group_id: base.id }]);
    await test.organization.write(context => deleteMemberGroup(context, base.id));
    expect((await edit(derived.id, { name: 'Guests' })).permissions).toContain(base.id);
    expect(await captureApiError(edit(base.id, { name: 'x' }))).toBe('not_found');
  });

  it('rejects new rules and associations that refer to it', async () => {
    const { id } = await create([]);
    await test.organization.write(context => deleteMemberGroup(context, id));
    expect(await captureApiError(create([{ member_group_id: id }]))).toBe(
      'invalid_request: permissions.0.member_group_id',
    );
    const member = await test.organization.write(context =>
      createMember(context, parseTestBody(createMemberRequestSchema, {})),
    );
    const body = parseTestBody(createMemberGroupAssociationRequestSchema, { member_group_id: id });
    const associate = test.organization.write(context => createGroupAssociation(context, member.id, body));
    expect(await captureApiError(associate)).toBe('invalid_request: member_group_id');
  });
});

describe('createGroupAssociation', () => {
  it('stores its validity and marks the member as changed for controllers', async () => {
    const group = await create([]);
    const member = await test.organization.write(context =>
      createMember(context, parseTestBody(createMemberRequestSchema, {})),
    );
    const body = parseTestBody(createMemberGroupAssociationRequestSchema, {
      member_group_id: group.id,
      starts_at: '2026-06-01T00:00:00Z',
    });
    const changes = await test.organization.changesOf(async () => {
      const association = await test.organization.write(context => createGroupAssociation(context, member.id, body));
      expect(association).toMatchObject({ starts_at: Date.parse('2026-06-01T00:00:00Z'), ends_at: null });
    });
    expect(changes).toEqual([`member ${member.id}`]);
  });
});

describe('schedules', () => {
  it('are edited field by field and deleted once', async () => {
    const { id } = await newSchedule();
    const renamed = await test.organization.write(context => editSchedule(context, id, { name: 'Night' }));
    expect(JSON.parse(renamed.weekdays)).toEqual(always);
    const remove = () => test.organization.write(context => deleteSchedule(context, id));
    expect(await test.organization.eventsOf(remove)).toEqual(['delete schedule']);
    expect(await test.organization.eventsOf(remove)).toEqual([]);
    expect(await captureApiError(test.organization.write(context => editSchedule(context, id, {})))).toBe('not_found');
  });

  it('reach controllers as changes', async () => {
    const { id } = await newSchedule();
    const rename = () => test.organization.write(context => editSchedule(context, id, { name: 'Night' }));
    expect(await test.organization.changesOf(rename)).toEqual([`schedule ${id}`]);
    expect(await test.organization.changesOf(rename)).toEqual([]);
  });
});
