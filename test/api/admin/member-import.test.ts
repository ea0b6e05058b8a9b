import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';

describeOnSqliteFirst('POST /member_import', bridge => {
  const arrange = async () => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
    const { id: groupId } = await client.callOk('POST', '/member_groups', { name: 'Room 101', permissions: [{}] });
    const importMembers = (members: readonly object[], options: object = {}) =>
      admin.call('POST', '/member_import', { members, ...options });
    return { client, admin, groupId, importMembers };
  };

  it('creates members with emails, groups, PINs and links, and shows the secrets once', async () => {
    const { client, admin, groupId, importMembers } = await arrange();
    const { status, body } = await importMembers(
      [
        {
          line: 2,
          name: ' Ann ',
          starts_at: '2036-06-01T13:00:00Z',
          ends_at: '2036-06-05T09:00:00Z',
          emails: ['ann@x.test'],
          member_group_ids: [groupId],
        },
        { line: 4, name: 'Ben', pin: '0042' },
      ],
      { pin_length: 6, magic_links: true },
    );
    expect([status, body['errors'], body['duplicates']]).toEqual([200, [], []]);
    const [ann, ben] = body['members'] as { member_id: string; pin: string; link: string }[];
    expect(ann).toMatchObject({ line: 2, pin: expect.stringMatching(/^\d{6}$/), link: expect.stringContaining('/g/') });
    expect(ben).toMatchObject({ line: 4, pin: '0042' });
    const stored = await admin.callOk('GET', `/members/${ann!.member_id}?expand=emails,group_associations,pins`);
    expect(stored).toMatchObject({
      name: 'Ann',
      starts_at: '2036-06-01T13:00:00.000Z',
      emails: [{ email: 'ann@x.test' }],
      group_associations: [{ member_group_id: groupId }],
      pins: [{ length: 6 }],
    });
    expect(JSON.stringify(stored)).not.toContain(ann!.pin);
    const [pin] = stored['pins'] as [{ id: string }];
    const shown = await client.callOk('POST', `/members/${ann!.member_id}/pins/${pin.id}/reveal`, {});
    expect(shown['pin']).toBe(ann!.pin);
  });

  it('creates nothing if one line is wrong', async () => {
    const { client, importMembers } = await arrange();
    const refused = await importMembers([
      { line: 2, name: 'Ann', pin: '4711' },
      { line: 3, name: 'Ben', pin: '4711' },
    ]);
    expect(refused).toMatchObject({
      status: 400,
      body: { args: { field: 'members.1.pin', line: '3', problem: 'pin_in_use' } },
    });
    expect(JSON.stringify(refused.body)).not.toContain('4711');
    expect((await client.callOk('GET', '/members')).data).toEqual([]);
  });

  it('reports every wrong line in a dry run, without the digits of PINs', async () => {
    const { client, groupId, importMembers } = await arrange();
    const { id } = await client.callOk('POST', '/members', { name: 'Greta' });
    await client.callOk('POST', `/members/${id}/pins`, { pin: '8899' });
    const stranger = await bridge().newOrganization();
    const { id: foreignGroup } = await stranger.callOk('POST', '/member_groups', { name: 'Other', permissions: [] });
    const { body } = await importMembers(
      [
        { line: 2, name: '' },
        { line: 3, name: 'A', starts_at: 'soon' },
        { line: 4, name: 'B', starts_at: '2036-06-02T00:00:00Z', ends_at: '2036-06-02T00:00:00Z' },
        { line: 5, name: 'C', emails: ['nobody'] },
        { line: 6, name: 'D', member_group_ids: [groupId, foreignGroup] },
        { line: 7, name: 'E', pin: '12x4' },
        { line: 8, name: 'F', pin: '8899' },
        { line: 9, name: 'G', member_group_ids: [groupId] },
      ],
      { dry_run: true },
    );
    expect(body['errors']).toEqual([
      { line: 2, problem: 'name', text: '' },
      { line: 3, problem: 'date', text: 'soon' },
      { line: 4, problem: 'order', text: '2036-06-02T00:00:00Z' },
      { line: 5, problem: 'email', text: 'nobody' },
      { line: 6, problem: 'group', text: foreignGroup },
      { line: 7, problem: 'pin', text: '' },
      { line: 8, problem: 'pin_in_use', text: '' },
    ]);
    expect((await client.callOk('GET', '/members')).data).toHaveLength(1);
  });

  it('reports possible duplicates: by name or email, of members and of earlier lines', async () => {
    const { client, importMembers } = await arrange();
    const { id } = await client.callOk('POST', '/members', { name: 'Ann  Berg' });
    await client.callOk('POST', `/members/${id}/emails`, { email: 'ann@x.test' });
    const { id: gone } = await client.callOk('POST', '/members', { name: 'Old Guest' });
    await client.callOk('DELETE', `/members/${gone}`);
    const { body } = await importMembers(
      [
        { line: 2, name: 'ann berg' },
        { line: 3, name: 'Anna', emails: ['ANN@x.test'] },
        { line: 4, name: 'Old Guest' },
        { line: 5, name: 'Old guest' },
      ],
      { dry_run: true },
    );
    expect(body['duplicates']).toEqual([
      { line: 2, field: 'name', text: 'ann berg', member_id: id, earlier_line: null },
      { line: 3, field: 'email', text: 'ANN@x.test', member_id: id, earlier_line: null },
      { line: 5, field: 'name', text: 'Old guest', member_id: null, earlier_line: 4 },
    ]);
  });

  it('creates no PIN that begins with one of the file', async () => {
    const { importMembers } = await arrange();
    const members = [
      ...Array.from({ length: 20 }, (_, index) => ({ line: index + 2, name: `New ${index}` })),
      ...Array.from({ length: 9 }, (_, index) => ({
        line: index + 30,
        name: `Own ${index}`,
        pin: `${index}${index}00`,
      })),
    ];
    const { body } = await importMembers(members, { pin_length: 5 });
    const pins = (body['members'] as { pin: string }[]).map(({ pin }) => pin);
    const created = pins.filter(pin => pin.length === 5);
    expect(created.filter(pin => pins.some(own => own.length === 4 && pin.startsWith(own)))).toEqual([]);
    expect(new Set(pins).size).toBe(29);
  });

  it('imports 500 members in one request, and refuses more', { tags: ['slow'] }, async () => {
    const { client, groupId, importMembers } = await arrange();
    const members = Array.from({ length: 501 }, (_, index) => ({
      line: index + 2,
      name: `Guest ${index}`,
      member_group_ids: [groupId],
    }));
    expect((await importMembers(members)).status).toBe(400);
    expect((await importMembers(members.slice(1), { pin_length: 6 })).body['members']).toHaveLength(500);
    expect((await client.callOk('GET', '/members?limit=1')).data).toHaveLength(1);
  });

  it('is refused to a viewer', async () => {
    const { client } = await arrange();
    const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
    expect((await viewer.call('POST', '/member_import', { members: [{ line: 2, name: 'Ann' }] })).status).toBe(403);
  });
});
