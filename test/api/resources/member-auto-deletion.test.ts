import { insertMembers, runAutoDeletion } from '@lintel/cloud-bridge/testing';
import { describe, expect, it } from 'vitest';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { iterations } from '../../support/test-iterations-and-seed.ts';

const DAY = 86_400;
/** Candidates are read 200 at a time. */
const MORE_THAN_A_BATCH = 210;

describeOnBothDatabases('auto-deletion of members', bridge => {
  const run = (): Promise<number> => runAutoDeletion(bridge().services);
  const secondsFromNow = (seconds: number): string => new Date(bridge().now + seconds * 1000).toISOString();
  const isDeleted = async (client: TestOrganizationClient, id: string) =>
    (await client.callOk('GET', `/members/${id}`))['is_deleted'];
  /** Faster than one API call for each. */
  const insertExpiredMembers = ({ organizationId }: TestOrganizationClient, count: number) =>
    insertMembers(bridge().services, organizationId, { count, endsAt: bridge().now - 2 * DAY * 1000 });
  /** The old token has expired. */
  const renewed = (client: TestOrganizationClient) =>
    bridge().client(client.organizationId, client.applicationId, 'full_read_write');

  it('deletes a member one day after its end, records an event without subject, and releases its PIN', async () => {
    const early = await bridge().newOrganization();
    const member = await early.callOk('POST', '/members', { ends_at: secondsFromNow(60) });
    await early.callOk('POST', `/members/${member.id}/pins`, { pin: '258013' });
    bridge().advanceSeconds(60 + DAY - 1);
    await run();
    let client = await renewed(early);
    expect(await isDeleted(client, member.id)).toBe(false);
    bridge().advanceSeconds(1);
    await run();
    client = await renewed(early);
    expect(await isDeleted(client, member.id)).toBe(true);
    expect(await run()).toBe(0);
    const { data } = (await client.get(`/events?verb=delete&object.member_id=${member.id}`)).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ subject: {}, object: { type: 'member', member_id: member.id } });
    expect(data[0]!['subject']).toEqual({});
    const next = await client.callOk('POST', '/members', {});
    await client.callOk('POST', `/members/${next.id}/pins`, { pin: '258013' });
  });

  it('deletes every expired member across batches, and keeps the others', async () => {
    const client = await bridge().newOrganization();
    const ends = [secondsFromNow(-2 * DAY), secondsFromNow(-400 * DAY), secondsFromNow(-DAY / 2), null];
    const members: string[] = [];
    for (const ends_at of ends) members.push((await client.callOk('POST', '/members', { ends_at })).id);
    await insertExpiredMembers(client, MORE_THAN_A_BATCH);
    expect(await run()).toBe(2 + MORE_THAN_A_BATCH);
    const deleted = await Promise.all(members.map(id => isDeleted(client, id)));
    expect(deleted).toEqual([true, true, false, false]);
  });

  it('keeps an undeleted member until its dates change', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', { ends_at: secondsFromNow(-2 * DAY) });
    expect(await run()).toBe(1);
    await client.callOk('PATCH', `/members/${id}`, { is_deleted: false });
    expect(await run()).toBe(0);
    await client.callOk('PATCH', `/members/${id}`, { name: 'Ann' });
    expect(await run()).toBe(0);
    await client.callOk('PATCH', `/members/${id}`, { ends_at: secondsFromNow(-3 * DAY) });
    expect(await run()).toBe(1);
    expect(await isDeleted(client, id)).toBe(true);
  });

  it('does not delete a member again for the same end', async () => {
    const client = await bridge().newOrganization();
    const ends_at = secondsFromNow(-2 * DAY);
    const { id } = await client.callOk('POST', '/members', { ends_at });
    expect(await run()).toBe(1);
    await client.callOk('PATCH', `/members/${id}`, { is_deleted: false, ends_at: null });
    await client.callOk('PATCH', `/members/${id}`, { ends_at });
    expect(await run()).toBe(0);
  });

  it('deletes a member that was undeleted with a new end, or before its end', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', { ends_at: secondsFromNow(-2 * DAY) });
    expect(await run()).toBe(1);
    await client.callOk('PATCH', `/members/${id}`, { is_deleted: false, ends_at: secondsFromNow(60) });
    const other = await client.callOk('POST', '/members', { ends_at: secondsFromNow(60) });
    await client.callOk('DELETE', `/members/${other.id}`);
    await client.callOk('PATCH', `/members/${other.id}`, { is_deleted: false });
    expect(await run()).toBe(0);
    bridge().advanceSeconds(60 + DAY);
    const later = await renewed(client);
    await run();
    expect([await isDeleted(later, id), await isDeleted(later, other.id)]).toEqual([true, true]);
  });

  it('keeps a member that a user deleted and undeleted after its end', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', { ends_at: secondsFromNow(-60) });
    await client.callOk('DELETE', `/members/${id}`);
    await client.callOk('PATCH', `/members/${id}`, { is_deleted: false });
    bridge().advanceSeconds(2 * DAY);
    await run();
    expect(await isDeleted(await renewed(client), id)).toBe(false);
  });
});

describe('auto-deletion on two bridges with one database', () => {
  it.each(['sqlite', 'postgres'])('deletes each member once on %s', async engine => {
    const database = engine === 'postgres' ? await newTestDatabase() : undefined;
    const one = await TestBridge.open({ database });
    const two = await TestBridge.open({ database, dataDir: one.dataDir });
    const client = await one.newOrganization();
    const ends_at = new Date(one.now - 2 * DAY * 1000).toISOString();
    const members = iterations({ sample: 20, all: 50 });
    for (let index = 0; index < members; index++) await client.callOk('POST', '/members', { ends_at });
    const counts = await Promise.all([one, two, one, two].map(({ services }) => runAutoDeletion(services)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(members);
    expect((await client.get('/events?verb=delete&limit=100')).body.data).toHaveLength(members);
    await two.bridge.close();
    await one.close();
  });
});
