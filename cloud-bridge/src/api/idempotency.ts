import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { toJson } from '../queries/serialize-rows-to-json.ts';
import type { MasterKeys } from '../secrets/master-keys.ts';
import { computeBlindIndex, sealSecret, parseSealedKeyVersion, unsealSecret } from '../secrets/sealing.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { toActor } from '../transactions/actor.ts';
import type { EndpointCall, ApiEndpoint } from './define-endpoint.ts';

const FIELD = 'Idempotency-Key';
const RETENTION_MS = 24 * 60 * 60 * 1000;
/** In place of the response while the request is running. */
const RUNNING = '';
/** Longer than any request takes. */
const MAX_RUNNING_MS = 60_000;
const POLL_MS = 50;

export const readIdempotencyKey = (headers: IncomingHttpHeaders): string | null => {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw createInvalidFieldError(FIELD, `The header ${FIELD} must have 1 to 255 printable ASCII characters`);
};

export interface IdempotencyKeyAndUrl {
  readonly key: string;
  /** Path and query: the same key with another URL is another request. */
  readonly url: string;
}

interface IdempotentResponse {
  readonly json: string;
  readonly isReplay: boolean;
}

/** Runs a request with an Idempotency-Key once and returns the same response to its retries. */
export interface IdempotentResponder<C> {
  respond(
    endpoint: ApiEndpoint<C>,
    call: EndpointCall<unknown, C>,
    request: IdempotencyKeyAndUrl,
  ): Promise<IdempotentResponse>;
}

interface IdempotencyEntry extends IdempotencyKeyAndUrl {
  readonly caller: OrganizationCaller;
  readonly body: unknown;
}

/** Keys are separate per application, and per user for requests without an application. */
const keyOwnerOf = ({ applicationId, userId }: OrganizationCaller): string => applicationId ?? userId ?? '';

const sealingContextOf = (organizationId: string, owner: string, key: string): string =>
  `idempotency ${organizationId} ${owner} ${key}`;

const sealingContext = ({ caller, key }: IdempotencyEntry): string =>
  sealingContextOf(caller.organizationId, keyOwnerOf(caller), key);

/** Deletes the stored responses that match. A retry of their request is then executed again. */
export const deleteMatchingIdempotentResponses = async (
  { db, organizationId, masterKeys }: WriteContext,
  matches: (response: string) => boolean,
): Promise<void> => {
  const rows = await db
    .selectFrom('idempotency_keys')
    .select(['oauth_application_id', 'key', 'sealed_body'])
    .where('organization_id', '=', organizationId)
    .where('sealed_body', '<>', RUNNING)
    .execute();
  for (const { oauth_application_id: owner, key, sealed_body } of rows) {
    if (!matches(unsealSecret(masterKeys, sealed_body, sealingContextOf(organizationId, owner, key)))) continue;
    await db
      .deleteFrom('idempotency_keys')
      .where('organization_id', '=', organizationId)
      .where('oauth_application_id', '=', owner)
      .where('key', '=', key)
      .execute();
  }
};

/** A keyed hash, because a plain hash of a body with a PIN could be reversed. Starts with the version of the key. */
const fingerprint = (masterKeys: MasterKeys, version: number, { url, body }: IdempotencyEntry): string =>
  `v${version}.${computeBlindIndex(masterKeys.derivedKeys(version), 'idempotency', JSON.stringify([url, body ?? null]))}`;

/**
 * A retried POST with the same key gets the response of the first request. The response is stored in the transaction of
 * the write, so the organization's lock serializes duplicates across all bridges. Errors are not stored, because a failed
 * request has written nothing.
 */
export class OrganizationIdempotentResponder<C extends OrganizationCaller> implements IdempotentResponder<C> {
  readonly #services: BridgeServices;

  constructor(services: BridgeServices) {
    this.#services = services;
  }

  respond(
    endpoint: ApiEndpoint<C>,
    call: EndpointCall<unknown, C>,
    request: IdempotencyKeyAndUrl,
  ): Promise<IdempotentResponse> {
    const entry: IdempotencyEntry = { ...request, caller: call.caller, body: call.body };
    return endpoint.managesOwnTransaction === true
      ? this.#runThenStore(endpoint, call, entry)
      : this.#runInTransaction(endpoint, call, entry);
  }

  #runInTransaction(
    endpoint: ApiEndpoint<C>,
    call: EndpointCall<unknown, C>,
    entry: IdempotencyEntry,
  ): Promise<IdempotentResponse> {
    const { writer } = this.#services;
    const { organizationId } = entry.caller;
    return writer.writeNested(organizationId, toActor(entry.caller), async (context, nestedWriter) => {
      const stored = await this.#find(context.db, entry);
      if (stored !== null) return stored;
      const reader = this.#services.reader.within(context.db);
      const json = toJson(await endpoint.handle({ ...call, db: context.db, reader, writer: nestedWriter }));
      await this.#store(context, entry, json);
      return { json, isReplay: false };
    });
  }

  /**
   * For endpoints that manage their own transaction. A row without a response marks that the request is running at one of
   * the bridges; duplicates wait for it. The mark of a bridge that was killed expires.
   */
  async #runThenStore(
    endpoint: ApiEndpoint<C>,
    call: EndpointCall<unknown, C>,
    entry: IdempotencyEntry,
  ): Promise<IdempotentResponse> {
    while (!(await this.#markRunning(entry))) {
      const stored = await this.#find(this.#services.storage.writer, entry);
      if (stored !== null) return stored;
      await delay(POLL_MS);
    }
    try {
      const json = toJson(await endpoint.handle(call));
      await this.#services.writer.write(entry.caller.organizationId, toActor(entry.caller), context =>
        this.#store(context, entry, json),
      );
      return { json, isReplay: false };
    } catch (error) {
      await this.#rowOf(entry).where('sealed_body', '=', RUNNING).execute();
      throw error;
    }
  }

  #rowOf({ caller, key }: IdempotencyEntry) {
    return this.#services.storage.writer
      .deleteFrom('idempotency_keys')
      .where('organization_id', '=', caller.organizationId)
      .where('oauth_application_id', '=', keyOwnerOf(caller))
      .where('key', '=', key);
  }

  /** Returns false if there is a response, or the request is running. */
  async #markRunning(entry: IdempotencyEntry): Promise<boolean> {
    const { masterKeys, clock, storage } = this.#services;
    const now = clock();
    await this.#rowOf(entry)
      .where(row =>
        row.or([
          row('created_at', '<=', now - RETENTION_MS),
          row.and([row('sealed_body', '=', RUNNING), row('created_at', '<=', now - MAX_RUNNING_MS)]),
        ]),
      )
      .execute();
    const { numInsertedOrUpdatedRows } = await storage.writer
      .insertInto('idempotency_keys')
      .values({
        organization_id: entry.caller.organizationId,
        oauth_application_id: keyOwnerOf(entry.caller),
        key: entry.key,
        request_hash: fingerprint(masterKeys, masterKeys.currentVersion, entry),
        sealed_body: RUNNING,
        created_at: now,
      })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async #find(db: Kysely<Database>, entry: IdempotencyEntry): Promise<IdempotentResponse | null> {
    const { masterKeys, clock } = this.#services;
    const row = await db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'sealed_body'])
      .where('organization_id', '=', entry.caller.organizationId)
      .where('oauth_application_id', '=', keyOwnerOf(entry.caller))
      .where('key', '=', entry.key)
      .where('created_at', '>', clock() - RETENTION_MS)
      .executeTakeFirst();
    if (row === undefined) return null;
    const version = parseSealedKeyVersion(row.request_hash);
    if (row.request_hash !== fingerprint(masterKeys, version, entry)) {
      throw createInvalidFieldError(
        FIELD,
        `The header ${FIELD} was already used for a different request. Use a new one`,
      );
    }
    if (row.sealed_body === RUNNING) return null;
    return { json: unsealSecret(masterKeys, row.sealed_body, sealingContext(entry)), isReplay: true };
  }

  async #store(
    { db, keys, now, deletionTime, masterKeys }: WriteContext,
    entry: IdempotencyEntry,
    json: string,
  ): Promise<void> {
    const { organizationId } = entry.caller;
    await db
      .deleteFrom('idempotency_keys')
      .where('organization_id', '=', organizationId)
      .where('created_at', '<=', deletionTime - RETENTION_MS)
      .execute();
    const row = {
      organization_id: organizationId,
      oauth_application_id: keyOwnerOf(entry.caller),
      key: entry.key,
      request_hash: fingerprint(masterKeys, keys.version, entry),
      sealed_body: sealSecret(keys, json, sealingContext(entry)),
      created_at: now,
    };
    await db
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict(conflict =>
        conflict
          .columns(['organization_id', 'oauth_application_id', 'key'])
          .doUpdateSet(row)
          .where('idempotency_keys.sealed_body', '=', RUNNING),
      )
      .execute();
  }
}
