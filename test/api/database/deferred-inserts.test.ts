import { createSite, createTag, insertRow, systemActor, type WriteContext } from '@lintel/cloud-bridge/testing';
import type { OrganizationWriter } from '@lintel/cloud-bridge/transactions/organization-writer';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

const statements: string[] = [];
const countInserts = (table: string): number =>
  statements.filter(text => text.startsWith(`insert into "${table}"`)).length;

const createNamedTag = (context: WriteContext, name: string): Promise<unknown> =>
  createTag(context, { name, color: null, metadata: {} });

const createNamedSite = (context: WriteContext, name: string): Promise<unknown> => createSite(context, { name });

const readTagNames = async ({ db, organizationId }: WriteContext): Promise<string[]> => {
  const rows = await db.selectFrom('tags').select('name').where('organization_id', '=', organizationId).execute();
  return rows.map(({ name }) => name).sort();
};

type Work = (context: WriteContext, nested: OrganizationWriter) => Promise<unknown>;

describeOnBothDatabases(
  'rows of concurrent writes',
  bridge => {
    /** All of them are ready in the same turn of the event loop, so one transaction commits them. */
    const writeTogether = (client: TestOrganizationClient, works: readonly Work[]) =>
      Promise.allSettled(
        works.map(work =>
          bridge().services.writer.writeNested(client.organizationId, systemActor, work, { isRepeatable: true }),
        ),
      );

    it('are inserted together, with the values of their requests', async () => {
      const client = await bridge().newOrganization();
      const { id: tagId } = await client.callOk('POST', '/tags', { name: 'Floor 1' });
      const bodies = Array.from({ length: 24 }, (_, index) => ({
        name: `Guest ${index} "quoted" \\ é 😀`,
        ...(index % 2 === 0 ? {} : { metadata: { room: `${index}`, note: '{"a": null}' } }),
        ...(index % 3 === 0 ? { starts_at: '2026-01-02T03:04:05.000Z', ends_at: '2027-01-02T03:04:05.000Z' } : {}),
        ...(index % 5 === 0 ? { tag_ids: [tagId] } : {}),
      }));
      statements.length = 0;
      const created = await Promise.all(bodies.map(body => client.callOk('POST', '/members', body)));
      // A member with a tag reads that tag, which inserts the members before it.
      expect(countInserts('members')).toBeLessThan(14);
      for (const [index, member] of created.entries()) {
        const { tag_ids = [], ...body } = bodies[index]!;
        expect(member).toMatchObject(body);
        expect(member['tag_ids']).toEqual(tag_ids);
        expect((await client.get(`/members/${member.id}`)).body).toEqual(member);
        const { body: events } = await client.get(`/events?object.member_id=${member.id}`);
        expect(events['data']).toMatchObject([{ verb: 'create' }]);
      }
    });

    it('are found by every later statement of their transaction', async () => {
      const client = await bridge().newOrganization();
      const results = await writeTogether(client, [
        context => createNamedTag(context, 'a'),
        context => createNamedTag(context, 'b'),
        context => readTagNames(context),
        async context => {
          await createNamedTag(context, 'c');
          return readTagNames(context);
        },
        async (context, nested) => {
          await createNamedTag(context, 'd');
          await nested.write(client.organizationId, systemActor, inner => createNamedTag(inner, 'e'));
          await createNamedTag(context, 'f');
          return readTagNames(context);
        },
        async context => {
          const { db, organizationId } = context;
          await createNamedTag(context, 'g');
          return db
            .selectFrom('tags')
            .select('name')
            .where('organization_id', '=', organizationId)
            .orderBy('name')
            .execute();
        },
      ]);
      expect(results.slice(2)).toMatchObject([
        { value: ['a', 'b'] },
        { value: ['a', 'b', 'c'] },
        { value: ['a', 'b', 'c', 'd', 'e', 'f'] },
        { value: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => ({ name })) },
      ]);
    });

    it('are the same as those of writes one after the other, for any mix of inserts and reads', async () => {
      const step = fc.constantFrom('insert tag', 'insert site', 'insert at once', 'read tags');
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), async plans => {
          const client = await bridge().newOrganization();
          const run =
            (plan: readonly string[], number: number): Work =>
            async context => {
              const seen: string[][] = [];
              for (const [index, kind] of plan.entries()) {
                const name = `${number}.${index}`;
                if (kind === 'insert tag') await createNamedTag(context, name);
                if (kind === 'insert site') await createNamedSite(context, name);
                if (kind === 'insert at once')
                  await Promise.all([
                    createNamedTag(context, `${name} a`),
                    createNamedSite(context, name),
                    createNamedTag(context, `${name} b`),
                  ]);
                if (kind === 'read tags') seen.push(await readTagNames(context));
              }
              return seen;
            };
          const results = await writeTogether(client, plans.map(run));
          const tags: string[] = [];
          const expected = plans.map((plan, number) => {
            const value: string[][] = [];
            for (const [index, kind] of plan.entries()) {
              if (kind === 'insert tag') tags.push(`${number}.${index}`);
              if (kind === 'insert at once') tags.push(`${number}.${index} a`, `${number}.${index} b`);
              if (kind === 'read tags') value.push(tags.toSorted());
            }
            return { status: 'fulfilled', value };
          });
          expect(results).toEqual(expected);
        }),
        { numRuns: iterations({ sample: 15, all: 300 }), seed: runSeed() },
      );
    });

    // Last: after a failed write, the next groups use savepoints and defer nothing.
    it('fail by themselves when one of them is invalid', async () => {
      const client = await bridge().newOrganization();
      const add =
        (id: string): Work =>
        context =>
          insertRow(context, 'tags', {
            id: `${id}_${context.organizationId}`,
            organization_id: context.organizationId,
            is_deleted: 0,
            created_at: context.now,
            metadata: '{}',
            name: id,
            color: null,
          });
      const results = await writeTogether(client, ['a', 'b', 'a', 'c'].map(add));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      expect(await writeTogether(client, [readTagNames])).toMatchObject([{ value: ['a', 'b', 'c'] }]);
    });
  },
  { onQuery: text => void statements.push(text) },
);
