import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { runSeed } from '../../support/test-iterations-and-seed.ts';

const MAX_OBJECTS = 20_000;
const MAX_BYTES = 8 * 1024 * 1024;

const createMemberWithPins = async (client: TestOrganizationClient, count: number): Promise<string> => {
  const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
  for (let index = 0; index < count; index++) await client.callOk('POST', `/members/${id}/pins`, { length: 6 });
  return id;
};

const repeated = (chain: string, times: number): string => Array.from({ length: times }, () => chain).join('.');

/** Objects with an id, nested ones included. Iterative, because responses can be deeper than the stack. */
const countObjects = (body: unknown): number => {
  let count = 0;
  const waiting = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('organization_id' in value || 'capabilities' in value) count += 1;
    waiting.push(...Object.values(value));
  }
  return count;
};

const statements: string[] = [];

describeOnSqliteFirst(
  'expands',
  bridge => {
    it('are refused when they double the response at every level, with little work', async () => {
      const client = await bridge().newOrganization();
      const other = await bridge().newOrganization();
      const member = await createMemberWithPins(client, 2);
      statements.length = 0;
      const [refused, answered] = await Promise.all([
        client.get(`/members/${member}?expand=${repeated('pins.member', 26)}`),
        other.get('/members'),
      ]);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        type: 'invalid_request',
        message: expect.stringMatching(/^The expand 'pins\.member\..*' makes .*20,000 objects or 8 MiB/),
        args: { field: 'expand' },
      });
      expect(answered.status).toBe(200);
      expect(statements.length).toBeLessThan(60);
    });

    it('have no limit on the depth', async () => {
      const client = await bridge().newOrganization();
      const member = await createMemberWithPins(client, 1);
      const { status, body } = await client.get(`/members/${member}?expand=${repeated('pins.member', 1200)}`);
      expect(status).toBe(200);
      expect(countObjects(body)).toBe(2401);
    });

    it('serve other requests between the queries of a large response', async () => {
      const client = await bridge().newOrganization();
      const other = await bridge().newOrganization();
      const member = await createMemberWithPins(client, 1);
      const finished: string[] = [];
      const large = client
        .get(`/members/${member}?expand=${repeated('pins.member', 1200)}`)
        .then(() => finished.push('large'));
      await other.get('/members').then(() => finished.push('small'));
      await large;
      expect(finished).toEqual(['small', 'large']);
    });

    it('are refused on a list that exceeds 8 MiB', async () => {
      const client = await bridge().newOrganization();
      const weekdays = Array.from({ length: 7 }, () => ({
        ranges: Array.from({ length: 1000 }, (_, index) => ({ start: index * 80, end: index * 80 + 40 })),
      }));
      const schedule = await client.callOk('POST', '/schedules', { name: 'Fine', weekdays });
      const { gadgetId } = await createTestDoor(bridge(), client);
      for (let index = 0; index < 45; index++) {
        await client.callOk('POST', '/gadget_triggers', {
          source_type: 'schedule',
          source_schedule_id: schedule.id,
          source_schedule_event: 'enter',
          target_gadget_id: gadgetId,
          target_action_id: 'open',
        });
      }
      const { status, body } = await client.get('/gadget_triggers?expand=target_gadget,source_schedule');
      expect(status).toBe(400);
      expect(body).toMatchObject({ message: expect.stringContaining("'source_schedule'"), args: { field: 'expand' } });
      expect((await client.get('/gadget_triggers?limit=40&expand=source_schedule')).status).toBe(200);
    });

    it('change nothing when the response of a write is too large', async () => {
      const client = await bridge().newOrganization();
      const member = await createMemberWithPins(client, 2);
      const path = `/members/${member}?expand=${repeated('pins.member', 26)}`;
      expect((await client.call('PATCH', path, { name: 'Bea' })).status).toBe(400);
      expect(await client.callOk('GET', `/members/${member}`)).toMatchObject({ name: 'Ann' });
    });

    it('list all children of an object in order, also beyond one query', async () => {
      const client = await bridge().newOrganization();
      const member = (await client.callOk('POST', '/members', {})).id;
      const { newId, storage } = bridge().services;
      const rows = Array.from({ length: 2500 }, (_, index) => ({
        id: newId('member_email'),
        organization_id: client.organizationId,
        member_id: member,
        email: 'ann@example.test',
        is_deleted: 0 as const,
        created_at: bridge().now + Math.floor(index / 700),
        metadata: '{}',
      }));
      for (let start = 0; start < rows.length; start += 500) {
        await storage.writer
          .insertInto('member_emails')
          .values(rows.slice(start, start + 500))
          .execute();
      }
      const shown = (await client.callOk('GET', `/members/${member}?expand=emails`))['emails'] as { id: string }[];
      expect(shown.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());
    });

    it('never exceed the budget, for any sequence', async () => {
      const client = await bridge().newOrganization();
      const { gadgetId } = await createTestDoor(bridge(), client);
      const tag = await client.callOk('POST', '/tags', { name: 'VIP' });
      const group = await client.callOk('POST', '/member_groups', {
        name: 'Guests',
        permissions: [{ gadget_id: gadgetId, action_id: 'open' }],
        tag_ids: [tag.id],
      });
      for (let index = 0; index < 4; index++) {
        const member = await createMemberWithPins(client, index);
        await client.callOk('PATCH', `/members/${member}`, { tag_ids: [tag.id], metadata: { note: 'é'.repeat(300) } });
        await client.callOk('POST', `/members/${member}/group_associations`, { member_group_id: group.id });
        await client.callOk('POST', `/members/${member}/emails`, { email: 'ann@example.test' });
      }
      const chainFrom = (type: ResourceType, choices: readonly number[]): string => {
        const names: string[] = [];
        let at = type;
        for (const choice of choices) {
          const expands = Object.entries(resourceDefinitions[at].expands);
          const next = expands[choice % Math.max(1, expands.length)];
          if (next === undefined) break;
          names.push(next[0]);
          at = next[1].target;
        }
        return names.join('.');
      };
      const lists = [
        ['member', '/members'],
        ['site', '/sites'],
        ['device', '/devices'],
        ['gadget', '/gadgets'],
        ['event', '/events'],
      ] as const;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...lists),
          fc.array(fc.array(fc.nat(20), { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 8 }),
          async ([type, path], chains) => {
            const expand = chains.map(choices => chainFrom(type, choices)).filter(chain => chain !== '');
            const { statusCode, payload } = await bridge().app.inject({
              url: `/v2${path}?expand=${[...new Set(expand)].join(',')}`,
              headers: { authorization: `Bearer ${client.token}` },
            });
            expect([200, 400]).toContain(statusCode);
            expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_BYTES + 1000);
            expect(countObjects(JSON.parse(payload))).toBeLessThanOrEqual(MAX_OBJECTS);
          },
        ),
        { numRuns: 40, seed: runSeed() },
      );
    });
  },
  { onQuery: text => void statements.push(text) },
);
