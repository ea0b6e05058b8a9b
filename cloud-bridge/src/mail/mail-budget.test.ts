import { describe, expect, it } from 'vitest';
import { useTestOrganization } from '../test-organization.test-support.ts';
import { MailBudget } from './mail-budget.ts';

const HOUR_MS = 3_600_000;

describe('MailBudget', () => {
  const test = useTestOrganization();
  let count = 0;
  /** Organizations send at most 2 mails, one of which nobody else can use up. */
  const open = () => {
    const { storage } = test.database.services;
    count += 1000;
    return {
      budget: new MailBudget(storage, () => test.database.clock.now, 20),
      id: (n: number) => `org_${count + n}`,
    };
  };

  it('limits an organization for an hour, each kind of mail separately', async () => {
    const { budget, id } = open();
    test.database.clock.now += 10 * HOUR_MS;
    const take = (kind: 'alert' | 'other') => budget.take(kind, id(0));
    expect([await take('other'), await take('other'), await take('other')]).toEqual([0, 0, HOUR_MS]);
    expect(await take('alert')).toBe(0);
    await expect(budget.require('other', id(0))).rejects.toMatchObject({
      type: 'rate_limited',
      args: { quota: 'mails', retry_after: '3600' },
    });
    test.database.clock.now += HOUR_MS;
    expect(await take('other')).toBe(0);
  });

  it('limits the bridge, but every organization has mails that others cannot use up', async () => {
    const { budget, id } = open();
    test.database.clock.now += 20 * HOUR_MS;
    for (let n = 0; n < 20; n++) for (let mail = 0; mail < 2; mail++) expect(await budget.take('other', id(n))).toBe(0);
    expect([await budget.take('other', id(20)), await budget.take('other', id(20))]).toEqual([0, HOUR_MS]);
  });
});
