import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';

describeOnBothDatabases(
  'objects that an organization creates for free',
  bridge => {
    const cases: readonly [string, number, (siteId: string) => readonly [string, object], string][] = [
      ['alert rules', 100, () => ['/alert_rules', { name: 'Forced', kind: 'door_forced' }], 'DELETE /alert_rules'],
      ['applications', 100, () => ['/applications', { name: 'PMS', redirect_uris: [] }], 'DELETE /applications'],
    ];

    const tickets: (typeof cases)[number] = [
      'open claim tickets',
      1000,
      site_id => ['/claim_tickets', { site_id }],
      'DELETE /claim_tickets',
    ];

    const checkLimit = async ([, most, requestFor, removal]: (typeof cases)[number]): Promise<void> => {
      const client = await bridge().newOrganization();
      const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
      const [path, body] = requestFor(await createTestSite(bridge(), client));
      const { length: existing } = (await owner.callOk('GET', path)).data;
      const created: string[] = [];
      for (let count = existing; count < most; count++) created.push((await owner.callOk('POST', path, body)).id);
      const refused = await owner.call('POST', path, body);
      expect([refused.status, refused.body['message']]).toEqual([400, expect.stringContaining(`at most ${most}`)]);
      const [method, list] = removal.split(' ') as ['DELETE', string];
      await owner.callOk(method, `${list}/${created[0]}`);
      await owner.callOk('POST', path, body);
    };

    it.each(cases.map(limited => [limited[0], limited] as const))('are limited: %s', (_, limited) =>
      checkLimit(limited),
    );

    it('are limited: open claim tickets', { tags: ['slow'] }, () => checkLimit(tickets));

    it('are limited: webhooks', async () => {
      const client = await bridge().newOrganization();
      const body = { url: 'https://pms.example.test/' };
      const ids: string[] = [];
      for (let count = 0; count < 200; count++) ids.push((await client.callOk('POST', '/webhooks', body)).id);
      expect((await client.call('POST', '/webhooks', body)).status).toBe(400);
      await client.callOk('DELETE', `/webhooks/${ids[0]}`);
      await client.callOk('POST', '/webhooks', body);
    });
  },
  {},
  ['slow'],
);
