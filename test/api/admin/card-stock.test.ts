import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';

describeOnSqliteFirst('POST /card_stock', bridge => {
  const arrange = async () => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
    const { id: memberId } = await client.callOk('POST', '/members', { name: 'Ann' });
    const importCards = (csv: string) => admin.call('POST', '/card_stock', { csv });
    return { client, admin, memberId, importCards };
  };

  it('lets the organization assign the cards by their printed codes', async () => {
    const { client, admin, memberId, importCards } = await arrange();
    const csv = 'printed_code,uid,name\nLNT-1,04A1B2C3D4E5F6,Red\nLNT-2,04a1b2c3d4e5f7,\n';
    expect(await importCards(csv)).toMatchObject({ status: 200, body: { imported: 2, known: 0 } });
    const given = await client.callOk('POST', `/members/${memberId}/cards`, { printed_code: 'LNT-1' });
    expect(given).toMatchObject({ uid: '04a1b2c3d4e5f6', printed_code: 'LNT-1' });
    expect(await importCards(csv)).toMatchObject({ status: 200, body: { imported: 0, known: 2 } });
    const [event, ...others] = (await client.callOk('GET', '/events?object.type=organization')).data;
    expect([event, others.length]).toMatchObject([{ reason: 'card_stock', subject: { user_id: admin.userId } }, 0]);
    const stranger = await bridge().newOrganization();
    expect(await stranger.call('POST', '/cards', { printed_code: 'LNT-2' })).toMatchObject({
      status: 400,
      body: { args: { field: 'printed_code' } },
    });
  });

  it('rejects a file with an error as a whole', async () => {
    const { client, importCards } = await arrange();
    const wrong = await importCards('printed_code,uid\nLNT-1,04a1b2c3\nLNT-2,4711\n');
    expect(wrong).toMatchObject({ status: 400, body: { args: { field: 'csv', line: '3' } } });
    const twice = await importCards('printed_code,uid\nLNT-1,04a1b2c3\nLNT-1,04a1b2c4\n');
    expect(twice).toMatchObject({ status: 400, body: { args: { field: 'csv' } } });
    expect((await client.call('POST', '/cards', { printed_code: 'LNT-1' })).status).toBe(400);
  });

  it('accepts columns in any order, semicolons, quotes, a byte order mark and line ends of Windows', async () => {
    const { client, memberId, importCards } = await arrange();
    const csv = '\uFEFFuid;printed_code;name\r\n04a1b2c3;"LNT-1";"Red; ""big"""\r\n\r\n';
    expect(await importCards(csv)).toMatchObject({ status: 200, body: { imported: 1 } });
    const given = await client.callOk('POST', `/members/${memberId}/cards`, { printed_code: 'LNT-1' });
    expect(given).toMatchObject({ uid: '04a1b2c3', name: 'Red; "big"' });
  });

  it.each([
    ['code,uid\n', 'line 1: the first line must name the columns printed_code and uid'],
    ['printed_code,uid\nA-1\n', 'line 2: expected 2 fields'],
    ['printed_code,uid\nA-1,04a1b2c3\n\nA-2,xyz\n', 'line 4: uid'],
    ['printed_code,uid\n,04a1b2c3\n', 'line 2: printed_code'],
    ['printed_code,uid\nA-1,08a1b2c3\n', 'line 2: uid is random'],
    ['printed_code,uid,color\nA-1,04a1b2c3,red\n', 'line 1: unknown column: color'],
  ])('names the line of an error in %j', async (csv, message) => {
    const { importCards } = await arrange();
    const refused = { type: 'invalid_request', message: expect.stringContaining(message) };
    expect(await importCards(csv)).toMatchObject({ status: 400, body: refused });
  });

  it('reports all errors by line in a dry run, and imports nothing', async () => {
    const { admin, importCards } = await arrange();
    await importCards('printed_code,uid\nLNT-1,04a1b2c3\n');
    const csv = 'printed_code,uid\nLNT-1,04a1b2c3\nLNT-2,4711\nLNT-3,04a1b2c5\nLNT-1,04a1b2c6\nLNT-4\n';
    const { errors, ...counts } = await admin.callOk('POST', '/card_stock', { csv, dry_run: true });
    expect(counts).toEqual({ imported: 1, known: 1 });
    expect((errors as { line: number }[]).map(({ line }) => line)).toEqual([3, 5, 6]);
    expect((await admin.callOk('GET', '/card_inventory')).data).toHaveLength(1);
  });

  it('answers a hostile file briefly', async () => {
    const { admin } = await arrange();
    const problemsOf = async (csv: string) =>
      JSON.stringify((await admin.call('POST', '/card_stock', { csv, dry_run: true })).body);
    const columns = `printed_code,uid,${'c'.repeat(100_000)}\n`;
    expect(await problemsOf(columns + 'A,b,\n'.repeat(9_000))).toHaveLength(
      JSON.stringify({ imported: 0, known: 0, errors: [{ line: 1, message: `unknown column: ${'c'.repeat(200)}` }] })
        .length,
    );
    expect(await problemsOf(`printed_code,uid\n${'x\n'.repeat(10_001)}`)).toContain('at most 10000 cards');
  });

  it('lists stock and cards with their members, by printed code, UID, name or member', async () => {
    const { admin, memberId, importCards } = await arrange();
    await importCards('printed_code,uid,name\nLNT-1,04a1b2c3d4e5f6,Red\nLNT-2,04a1b2c3d4e5f7,\n');
    const { id } = await admin.callOk('POST', `/members/${memberId}/cards`, { printed_code: 'LNT-1' });
    const find = async (search: string) => (await admin.callOk('GET', `/card_inventory?search=${search}`)).data;
    const red = {
      printed_code: 'LNT-1',
      uid: '04a1b2c3d4e5f6',
      is_stock: false,
      member_card_id: id,
      member_id: memberId,
      member_name: 'Ann',
    };
    for (const search of ['lnt-1', '04:A1:B2:C3:D4:E5:F6', 'ann']) expect(await find(search)).toMatchObject([red]);
    expect(await find('lnt-2')).toMatchObject([{ is_stock: true, member_id: null }]);
    await admin.callOk('DELETE', `/members/${memberId}`);
    expect(await find('lnt-1')).toMatchObject([{ member_id: null, member_card_id: null, member_name: null }]);
    const other = await arrange();
    expect((await other.admin.callOk('GET', '/card_inventory')).data).toEqual([]);
  });

  it('is refused to a viewer', async () => {
    const { client } = await arrange();
    const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
    expect((await viewer.call('POST', '/card_stock', { csv: 'printed_code,uid\n' })).status).toBe(403);
  });
});
