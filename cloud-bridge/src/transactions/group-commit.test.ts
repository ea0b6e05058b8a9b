import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openTestStorage } from '../testing/sqlite-template.ts';
import { GroupCommit } from './group-commit.ts';
import type { AccessTokenCaller } from '../http/authenticated-caller.ts';
import { toActor } from './actor.ts';

const openGroup = async (commits: number[]) => {
  const storage = await openTestStorage();
  const group = new GroupCommit<null>(storage, {
    begin: async () => null,
    beforeCommit: async () => undefined,
    afterCommit: (_, size) => commits.push(size),
  });
  const insert = (id: string) =>
    group.run(db =>
      sql`insert into products (id, name, capabilities, revision_id) values (${id}, '', '', '')`.execute(db),
    );
  const ids = async () =>
    (await storage.reader.selectFrom('products').select('id').orderBy('id').execute()).map(row => row.id);
  return { storage, group, insert, ids };
};

describe('GroupCommit', () => {
  it('commits waiting writes in one transaction', async () => {
    const commits: number[] = [];
    const { insert, ids, storage } = await openGroup(commits);
    await Promise.all(['a', 'b', 'c'].map(insert));
    expect(await ids()).toEqual(['a', 'b', 'c']);
    expect(commits).toEqual([3]);
    await storage.close();
  });

  it('rolls back only the write that fails', async () => {
    const { insert, ids, storage } = await openGroup([]);
    const results = await Promise.allSettled(['a', 'a', 'b'].map(insert));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ids()).toEqual(['a', 'b']);
    await storage.close();
  });

  it('retries a write after a deadlock', async () => {
    const { group, storage } = await openGroup([]);
    let attempts = 0;
    const value = await group.run(async () => {
      attempts++;
      if (attempts < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      return 'done';
    });
    expect([value, attempts]).toEqual(['done', 3]);
    await storage.close();
  });

  it('runs repeatable writes without savepoints, and again with them when one fails', async () => {
    const { group, ids, storage } = await openGroup([]);
    const runs: string[] = [];
    const insert = (id: string) =>
      group.run(async db => {
        runs.push(id);
        await sql`insert into products (id, name, capabilities, revision_id) values (${id}, '', '', '')`.execute(db);
        return id;
      }, true);
    expect(await Promise.all(['a', 'b'].map(insert))).toEqual(['a', 'b']);
    expect(runs.splice(0)).toEqual(['a', 'b']);
    const results = await Promise.allSettled(['c', 'a', 'd'].map(insert));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs.splice(0)).toEqual(['c', 'a', 'c', 'a', 'd']);
    await Promise.allSettled(['e', 'a'].map(insert));
    expect(runs).toEqual(['e', 'a']);
    expect(await ids()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await storage.close();
  });

  it('runs a write once that is not repeatable, also when another one of its group fails', async () => {
    const { group, insert, storage } = await openGroup([]);
    let runs = 0;
    const once = group.run(async () => ++runs);
    const repeatable = group.run(async db => {
      await sql`select * from missing`.execute(db);
    }, true);
    const results = await Promise.allSettled([once, repeatable, insert('a')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toBe(1);
    await storage.close();
  });
});

const caller: AccessTokenCaller = {
  organizationId: 'org_1',
  applicationId: 'app_1',
  userId: null,
  role: 'administrator',
  isApplication: true,
  siteIds: null,
  scopes: new Set(),
  ip: '192.0.2.1',
  userAgent: undefined,
};

describe('toActor', () => {
  it('names the application, and the user only if there is one', () => {
    expect(toActor(caller)).toMatchObject({ oauth_application_id: 'app_1', ip_address: '192.0.2.1' });
    expect(toActor(caller)).not.toHaveProperty('user_id');
    expect(toActor({ ...caller, applicationId: null, userId: 'usr_1' })).not.toHaveProperty('oauth_application_id');
  });
});
