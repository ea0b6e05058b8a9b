import { deleteExpiredMembers } from '@lintel/cloud-bridge/tasks/auto-deletion';
import { describe, expect, it } from 'vitest';
import { BridgeWorld, type OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';

const DAY = 86_400;

onBothEngines('auto-deletion', world => {
  const run = async (): Promise<number> => {
    const problems: unknown[] = [];
    const deleted = await deleteExpiredMembers(world().bridge.services, error => problems.push(error));
    expect(problems).toEqual([]);
    return deleted;
  };
  const secondsFromNow = (seconds: number): string => new Date(world().now + seconds * 1000).toISOString();
  const isDeleted = async (client: OrganizationClient, id: string) =>
    (await client.done('GET', `/members/${id}`))['is_deleted'];
  /** With a fresh token: time has passed. */
  const renewed = (client: OrganizationClient) =>
    world().client(client.organizationId, client.applicationId, 'full_read_write');

  it('deletes a member one day after its end, with an event of the bridge itself, and frees its PIN', async () => {
    const early = await world().newOrganization();
    const member = await early.done('POST', '/members', { ends_at: secondsFromNow(60) });
    await early.done('POST', `/members/${member.id}/pins`, { pin: '258013' });
    world().passSeconds(60 + DAY - 1);
    await run();
    let client = await renewed(early);
    expect(await isDeleted(client, member.id)).toBe(false);
    world().passSeconds(1);
    await run();
    client = await renewed(early);
    expect(await isDeleted(client, member.id)).toBe(true);
    expect(await run()).toBe(0);
    const { data } = (await client.get(`/events?verb=delete&object.member_id=${member.id}`)).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ subject: {}, object: { type: 'member', member_id: member.id } });
    expect(data[0]!['subject']).toEqual({});
    const next = await client.done('POST', '/members', {});
    await client.done('POST', `/members/${next.id}/pins`, { pin: '258013' });
  });

  it('catches up after a long sleep, whatever the number, and leaves the others alone', async () => {
    const client = await world().newOrganization();
    const ends = [secondsFromNow(-2 * DAY), secondsFromNow(-400 * DAY), secondsFromNow(-DAY / 2), null];
    const members = await Promise.all(
      Array.from({ length: 500 }, (_, index) => client.done('POST', '/members', { ends_at: ends[index % 4] })),
    );
    expect(await run()).toBe(250);
    expect(await isDeleted(client, members[0]!.id)).toBe(true);
    expect(await isDeleted(client, members[2]!.id)).toBe(false);
    expect(await isDeleted(client, members[3]!.id)).toBe(false);
  });

  it('leaves an undeleted member alone until its dates change', async () => {
    const client = await world().newOrganization();
    const { id } = await client.done('POST', '/members', { ends_at: secondsFromNow(-2 * DAY) });
    expect(await run()).toBe(1);
    await client.done('PATCH', `/members/${id}`, { is_deleted: false });
    expect(await run()).toBe(0);
    await client.done('PATCH', `/members/${id}`, { name: 'Ann' });
    expect(await run()).toBe(0);
    await client.done('PATCH', `/members/${id}`, { ends_at: secondsFromNow(-3 * DAY) });
    expect(await run()).toBe(1);
    expect(await isDeleted(client, id)).toBe(true);
  });

  it('does not fire again for an end that it has fired for, when that end comes back', async () => {
    const client = await world().newOrganization();
    const ends_at = secondsFromNow(-2 * DAY);
    const { id } = await client.done('POST', '/members', { ends_at });
    expect(await run()).toBe(1);
    await client.done('PATCH', `/members/${id}`, { ends_at: null });
    await client.done('PATCH', `/members/${id}`, { is_deleted: false, ends_at });
    expect(await run()).toBe(0);
  });

  it('fires for a member that came back with a new end, or that was deleted and undeleted before its end', async () => {
    const client = await world().newOrganization();
    const { id } = await client.done('POST', '/members', { ends_at: secondsFromNow(-2 * DAY) });
    expect(await run()).toBe(1);
    await client.done('PATCH', `/members/${id}`, { is_deleted: false, ends_at: secondsFromNow(60) });
    const other = await client.done('POST', '/members', { ends_at: secondsFromNow(60) });
    await client.done('DELETE', `/members/${other.id}`);
    await client.done('PATCH', `/members/${other.id}`, { is_deleted: false });
    expect(await run()).toBe(0);
    world().passSeconds(60 + DAY);
    const later = await renewed(client);
    await run();
    expect([await isDeleted(later, id), await isDeleted(later, other.id)]).toEqual([true, true]);
  });

  it('leaves a member alone that was deleted by a person and undeleted after its end', async () => {
    const client = await world().newOrganization();
    const { id } = await client.done('POST', '/members', { ends_at: secondsFromNow(-60) });
    await client.done('DELETE', `/members/${id}`);
    await client.done('PATCH', `/members/${id}`, { is_deleted: false });
    world().passSeconds(2 * DAY);
    await run();
    expect(await isDeleted(await renewed(client), id)).toBe(false);
  });
});

describe('auto-deletion by two bridges on one database', () => {
  it.each(['sqlite', 'postgres'])('fires once for each end on %s', async engine => {
    const database = engine === 'postgres' ? await newTestDatabase() : undefined;
    const one = await BridgeWorld.open({ database });
    const two = await BridgeWorld.open({ database, dataDir: one.dataDir });
    const client = await one.newOrganization();
    const ends_at = new Date(one.now - 2 * DAY * 1000).toISOString();
    for (let index = 0; index < 50; index++) await client.done('POST', '/members', { ends_at });
    const problems: unknown[] = [];
    const counts = await Promise.all(
      [one, two, one, two].map(({ bridge }) => deleteExpiredMembers(bridge.services, error => problems.push(error))),
    );
    expect(problems).toEqual([]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(50);
    expect((await client.get('/events?verb=delete')).body.data).toHaveLength(50);
    await two.bridge.close();
    await one.close();
  });
});
