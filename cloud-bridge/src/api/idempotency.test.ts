import { DAY_MS } from '@lintel/access-core/durations';
import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import * as z from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMember } from '../resources/members.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { type EndpointCall, type ApiEndpoint, writeAsCaller } from './define-endpoint.ts';
import { OrganizationIdempotentResponder, readIdempotencyKey } from './idempotency.ts';

const test = useTestOrganization();

describe('readIdempotencyKey', () => {
  it('returns the header, or null without it', () => {
    expect(readIdempotencyKey({})).toBeNull();
    expect(readIdempotencyKey({ 'idempotency-key': 'order 17' })).toBe('order 17');
    expect(readIdempotencyKey({ 'idempotency-key': 'x'.repeat(255) })).toHaveLength(255);
  });

  it.each(['', 'x'.repeat(256), 'tab\there', 'ümlaut'])('rejects %j', key => {
    expect(() => readIdempotencyKey({ 'idempotency-key': key })).toThrow(
      expect.objectContaining({ args: { field: 'Idempotency-Key' } }),
    );
  });
});

describe('OrganizationIdempotentResponder', () => {
  let runs = 0;
  let isFailing = false;
  let calls: EndpointCall[] = [];
  beforeEach(() => {
    runs = 0;
    calls = [];
    isFailing = false;
  });

  /** Creates a member, in the transaction of the request or in its own. */
  const endpointOf = (managesOwnTransaction: boolean): ApiEndpoint => ({
    method: 'POST',
    path: '/members',
    summary: '',
    tag: '',
    response: z.unknown(),
    managesOwnTransaction,
    handle: async (call: EndpointCall) => {
      runs += 1;
      calls.push(call);
      const member = await writeAsCaller(call, context =>
        createMember(context, parseTestBody(createMemberRequestSchema, {})),
      );
      if (isFailing) throw createInvalidFieldError('name', 'refused');
      return { id: member.id };
    },
  });
  const caller = (
    change: Partial<Pick<OrganizationCaller, 'organizationId' | 'applicationId' | 'userId'>> = {},
  ): OrganizationCaller => ({
    organizationId: test.organization.id,
    applicationId: 'app_1',
    userId: null,
    role: 'administrator',
    isApplication: true,
    siteIds: null,
    ip: '192.0.2.1',
    userAgent: undefined,
    ...change,
  });
  const idempotencyOf = (managesOwnTransaction: boolean) => {
    const { services } = test.database;
    const idempotency = new OrganizationIdempotentResponder<OrganizationCaller>(services);
    const endpoint = endpointOf(managesOwnTransaction);
    return (key: string, change: { caller?: OrganizationCaller; url?: string; body?: unknown } = {}) =>
      idempotency.respond(
        endpoint,
        {
          caller: change.caller ?? caller(),
          params: {},
          query: {},
          body: 'body' in change ? change.body : { pin: '1' },
          db: services.storage.reader,
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
    ['that manages its own transaction', true],
  ])('for an endpoint %s', (_, managesOwnTransaction) => {
    it('replays the response of the first request', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      const first = await response('k1');
      const second = await response('k1');
      expect([first.isReplay, second.isReplay, second.json]).toEqual([false, true, first.json]);
      expect([runs, await memberCount()]).toEqual([1, 1]);
    });

    it('runs requests that arrive together once', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      const answers = await Promise.all(['k1', 'k1', 'k1'].map(key => response(key)));
      expect(new Set(answers.map(({ json }) => json)).size).toBe(1);
      expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
      expect(await memberCount()).toBe(1);
    });

    it('rejects the key with another body or another URL', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      await response('k1');
      expect(await captureApiError(response('k1', { body: { pin: '2' } }))).toBe('invalid_request: Idempotency-Key');
      expect(await captureApiError(response('k1', { url: '/v2/members?expand=tags' }))).toBe(
        'invalid_request: Idempotency-Key',
      );
      expect(runs).toBe(1);
    });

    it('separates keys of different applications, users and organizations', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      const other = await test.database.addOrganization();
      for (const keyOwner of [
        caller(),
        caller({ applicationId: 'app_2' }),
        caller({ applicationId: null, userId: 'usr_1' }),
        caller({ organizationId: other.id }),
      ]) {
        expect((await response('k1', { caller: keyOwner })).isReplay).toBe(false);
      }
      expect(runs).toBe(4);
    });

    it('stores a response for a day', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      await response('k1');
      test.database.clock.now += DAY_MS - 1;
      expect((await response('k1')).isReplay).toBe(true);
      test.database.clock.now += 1;
      expect((await response('k1')).isReplay).toBe(false);
      expect((await response('k1')).isReplay).toBe(true);
    });

    it('does not store an error', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      isFailing = true;
      expect(await captureApiError(response('k1'))).toBe('invalid_request: name');
      isFailing = false;
      expect((await response('k1')).isReplay).toBe(false);
    });

    it('replays a response after the master key was rotated', async () => {
      const response = idempotencyOf(managesOwnTransaction);
      const first = await response('k1');
      test.database.services.masterKeys.addVersion();
      expect(await response('k1')).toEqual({ json: first.json, isReplay: true });
    });
  });

  it('calls the handler with the reader and the writer of the transaction', async () => {
    const { reader, writer, storage } = test.database.services;
    await idempotencyOf(false)('k1');
    await idempotencyOf(true)('k2');
    const [inTransaction, standalone] = calls;
    expect(inTransaction!.writer).not.toBe(writer);
    expect(inTransaction!.reader).not.toBe(reader);
    expect(inTransaction!.db).not.toBe(storage.reader);
    expect(standalone!.writer).toBe(writer);
    expect(standalone!.reader).toBe(reader);
    expect(standalone!.db).toBe(storage.reader);
  });

  it('rolls back the transaction of a failed request', async () => {
    isFailing = true;
    const events = await test.organization.eventsOf(() => captureApiError(idempotencyOf(false)('k1')));
    expect([events, await memberCount()]).toEqual([[], 0]);
  });

  it('stores neither the response nor the body in plain text', async () => {
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
