import { memberCreate } from '@lintel/wire-protocol/rest/member';
import * as z from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMember } from '../resources/members.ts';
import { bodyOf, errorOf, useTestOrganization } from '../test-organization.test-support.ts';
import { invalid } from '../http/api-error.ts';
import type { Requester } from '../http/caller.ts';
import { type Call, type Endpoint, writeFor } from './endpoint.ts';
import { Idempotency, idempotencyKey } from './idempotency.ts';

const test = useTestOrganization();
const DAY_MS = 86_400_000;

describe('idempotencyKey', () => {
  it('is null without the header and the text of the header otherwise', () => {
    expect(idempotencyKey({})).toBeNull();
    expect(idempotencyKey({ 'idempotency-key': 'order 17' })).toBe('order 17');
    expect(idempotencyKey({ 'idempotency-key': 'x'.repeat(255) })).toHaveLength(255);
  });

  it.each(['', 'x'.repeat(256), 'tab\there', 'ümlaut'])('rejects %j', key => {
    expect(() => idempotencyKey({ 'idempotency-key': key })).toThrow(
      expect.objectContaining({ args: { field: 'Idempotency-Key' } }),
    );
  });
});

describe('Idempotency', () => {
  let runs = 0;
  let isFailing = false;
  let calls: Call<unknown, Requester>[] = [];
  beforeEach(() => {
    runs = 0;
    calls = [];
    isFailing = false;
  });

  /** Creates a member, in one transaction or by itself. */
  const endpointOf = (commitsByItself: boolean): Endpoint<Requester> => ({
    method: 'POST',
    path: '/members',
    summary: '',
    tag: '',
    answer: z.unknown(),
    commitsByItself,
    handle: async (call: Call<unknown, Requester>) => {
      runs += 1;
      calls.push(call);
      const member = await writeFor(call, context => createMember(context, bodyOf(memberCreate, {})));
      if (isFailing) throw invalid('name', 'refused');
      return { id: member.id };
    },
  });
  const caller = (change: Partial<Requester> = {}): Requester => ({
    organizationId: test.organization.id,
    applicationId: 'app_1',
    userId: null,
    ip: '192.0.2.1',
    userAgent: undefined,
    ...change,
  });
  const idempotencyOf = (commitsByItself: boolean) => {
    const { services } = test.database;
    const idempotency = new Idempotency<Requester>(services);
    const endpoint = endpointOf(commitsByItself);
    return (key: string, change: { caller?: Requester; url?: string; body?: unknown } = {}) =>
      idempotency.answer(
        endpoint,
        {
          caller: change.caller ?? caller(),
          params: {},
          query: {},
          body: 'body' in change ? change.body : { pin: '1' },
          reader: services.reader,
          writer: services.writer,
        },
        { key, url: change.url ?? '/v2/members' },
      );
  };
  const memberCount = async () => {
    const rows = await test.organization.write(({ db, organizationId }) =>
      db.selectFrom('members').select('id').where('organization_id', '=', organizationId).execute(),
    );
    return rows.length;
  };

  describe.each([
    ['in one transaction', false],
    ['that commits by itself', true],
  ])('for an endpoint %s', (_, commitsByItself) => {
    it('replays the answer of the first request', async () => {
      const answer = idempotencyOf(commitsByItself);
      const first = await answer('k1');
      const second = await answer('k1');
      expect([first.isReplay, second.isReplay, second.json]).toEqual([false, true, first.json]);
      expect([runs, await memberCount()]).toEqual([1, 1]);
    });

    it('runs requests that arrive together once', async () => {
      const answer = idempotencyOf(commitsByItself);
      const answers = await Promise.all(['k1', 'k1', 'k1'].map(key => answer(key)));
      expect(new Set(answers.map(({ json }) => json)).size).toBe(1);
      expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
      expect(await memberCount()).toBe(1);
    });

    it('rejects the key with another body or another address', async () => {
      const answer = idempotencyOf(commitsByItself);
      await answer('k1');
      expect(await errorOf(answer('k1', { body: { pin: '2' } }))).toBe('invalid_request: Idempotency-Key');
      expect(await errorOf(answer('k1', { url: '/v2/members?expand=tags' }))).toBe('invalid_request: Idempotency-Key');
      expect(runs).toBe(1);
    });

    it('separates keys of different applications, users and organizations', async () => {
      const answer = idempotencyOf(commitsByItself);
      const other = await test.database.addOrganization();
      for (const one of [
        caller(),
        caller({ applicationId: 'app_2' }),
        caller({ applicationId: null, userId: 'usr_1' }),
        caller({ organizationId: other.id }),
      ]) {
        expect((await answer('k1', { caller: one })).isReplay).toBe(false);
      }
      expect(runs).toBe(4);
    });

    it('remembers an answer for a day', async () => {
      const answer = idempotencyOf(commitsByItself);
      await answer('k1');
      test.database.clock.now += DAY_MS - 1;
      expect((await answer('k1')).isReplay).toBe(true);
      test.database.clock.now += 1;
      expect((await answer('k1')).isReplay).toBe(false);
      expect((await answer('k1')).isReplay).toBe(true);
    });

    it('does not remember a failure', async () => {
      const answer = idempotencyOf(commitsByItself);
      isFailing = true;
      expect(await errorOf(answer('k1'))).toBe('invalid_request: name');
      isFailing = false;
      expect((await answer('k1')).isReplay).toBe(false);
    });

    it('replays an answer after the master key was rotated', async () => {
      const answer = idempotencyOf(commitsByItself);
      const first = await answer('k1');
      test.database.services.masterKeys.addVersion();
      expect(await answer('k1')).toEqual({ json: first.json, isReplay: true });
    });
  });

  it('calls the handler of the endpoint itself, with the reader and the writer of the transaction', async () => {
    const { reader, writer } = test.database.services;
    await idempotencyOf(false)('k1');
    await idempotencyOf(true)('k2');
    const [joined, single] = calls;
    expect(joined!.writer).not.toBe(writer);
    expect(joined!.reader).not.toBe(reader);
    expect(single!.writer).toBe(writer);
    expect(single!.reader).toBe(reader);
  });

  it('takes back what a failed request has written in its transaction', async () => {
    isFailing = true;
    const events = await test.organization.eventsOf(() => errorOf(idempotencyOf(false)('k1')));
    expect([events, await memberCount()]).toEqual([[], 0]);
  });

  it('stores neither the answer nor the body in the clear', async () => {
    const { json } = await idempotencyOf(false)('k1', { body: { pin: '482913' } });
    const rows = await test.database.services.storage.writer
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('organization_id', '=', test.organization.id)
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('482913');
    expect(JSON.stringify(rows)).not.toContain((JSON.parse(json) as { id: string }).id);
  });
});
