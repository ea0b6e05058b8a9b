import type { IncomingHttpHeaders } from 'node:http';
import type { Kysely } from 'kysely';
import { Reader } from '../queries/reader.ts';
import type { MasterKeys } from '../secrets/master-key.ts';
import { blind, seal, sealedVersion, unseal } from '../secrets/sealing.ts';
import type { Services } from '../services.ts';
import { rowsThrough } from '../storage/row-reader.ts';
import type { Database } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { invalid } from '../http/api-error.ts';
import type { Requester } from '../http/caller.ts';
import { actorOf } from '../transactions/actor.ts';
import type { Call, Endpoint } from './endpoint.ts';

const FIELD = 'Idempotency-Key';
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

export const idempotencyKey = (headers: IncomingHttpHeaders): string | null => {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(FIELD, `${FIELD} must be 1 to 255 printable ASCII characters`);
};

export interface KeyedRequest {
  readonly key: string;
  /** With its query: the same key at another address is another request. */
  readonly url: string;
}

interface Remembered {
  readonly json: string;
  readonly isReplay: boolean;
}

/** Answers a keyed request once, however often it comes. */
export interface KeyedAnswers<C> {
  answer(endpoint: Endpoint<C>, call: Call<unknown, C>, request: KeyedRequest): Promise<Remembered>;
}

interface Claim extends KeyedRequest {
  readonly caller: Requester;
  readonly body: unknown;
}

/** Keys of different applications, or of different people, do not meet. */
const claimant = ({ applicationId, userId }: Requester): string => applicationId ?? userId ?? '';

const sealingContext = ({ caller, key }: Claim): string =>
  `idempotency ${caller.organizationId} ${claimant(caller)} ${key}`;

/** Keyed, because a plain hash of a body with a chosen PIN would give the PIN away. The key's version leads. */
const fingerprint = (masterKeys: MasterKeys, version: number, { url, body }: Claim): string =>
  `v${version}.${blind(masterKeys.keys(version), 'idempotency', JSON.stringify([url, body ?? null]))}`;

/**
 * A retried POST with the same key answers as the first did. The answer is kept in the transaction of the write: the
 * organization's lock lets one of several duplicates through, on whichever bridge they arrive. Errors are not kept,
 * since they have written nothing.
 */
export class Idempotency<C extends Requester> implements KeyedAnswers<C> {
  readonly #services: Services;
  /** For endpoints that commit by themselves: the duplicates of a request that is still running wait for it. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(services: Services) {
    this.#services = services;
  }

  answer(endpoint: Endpoint<C>, call: Call<unknown, C>, request: KeyedRequest): Promise<Remembered> {
    const claim: Claim = { ...request, caller: call.caller, body: call.body };
    return endpoint.commitsByItself === true
      ? this.#answerThenKeep(endpoint, call, claim)
      : this.#answerWithin(endpoint, call, claim);
  }

  #answerWithin(endpoint: Endpoint<C>, call: Call<unknown, C>, claim: Claim): Promise<Remembered> {
    const { writer, storage } = this.#services;
    const { organizationId } = claim.caller;
    return writer.writeJoined(organizationId, actorOf(claim.caller), async (context, joined) => {
      const known = await this.#find(context.db, claim);
      if (known !== null) return known;
      const reader = new Reader(rowsThrough(context.db, storage.engine));
      const json = JSON.stringify(await endpoint.handle({ ...call, reader, writer: joined }));
      await this.#keep(context, claim, json);
      return { json, isReplay: false };
    });
  }

  async #answerThenKeep(endpoint: Endpoint<C>, call: Call<unknown, C>, claim: Claim): Promise<Remembered> {
    const name = sealingContext(claim);
    for (let other = this.#running.get(name); other !== undefined; other = this.#running.get(name)) {
      await other.catch(() => undefined);
    }
    const running = this.#findOrRun(endpoint, call, claim);
    this.#running.set(name, running);
    try {
      return await running;
    } finally {
      this.#running.delete(name);
    }
  }

  async #findOrRun(endpoint: Endpoint<C>, call: Call<unknown, C>, claim: Claim): Promise<Remembered> {
    const known = await this.#find(this.#services.storage.reader, claim);
    if (known !== null) return known;
    const json = JSON.stringify(await endpoint.handle(call));
    await this.#services.writer.write(claim.caller.organizationId, actorOf(claim.caller), context =>
      this.#keep(context, claim, json),
    );
    return { json, isReplay: false };
  }

  async #find(db: Kysely<Database>, claim: Claim): Promise<Remembered | null> {
    const { masterKeys, clock } = this.#services;
    const row = await db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'sealed_body'])
      .where('organization_id', '=', claim.caller.organizationId)
      .where('oauth_application_id', '=', claimant(claim.caller))
      .where('key', '=', claim.key)
      .where('created_at', '>', clock() - REMEMBERED_MS)
      .executeTakeFirst();
    if (row === undefined) return null;
    const version = sealedVersion(row.request_hash);
    if (row.request_hash !== fingerprint(masterKeys, version, claim)) {
      throw invalid(FIELD, `This ${FIELD} was used for another request`);
    }
    return { json: unseal(masterKeys, row.sealed_body, sealingContext(claim)), isReplay: true };
  }

  async #keep({ db, keys, now, masterKeys }: WriteContext, claim: Claim, json: string): Promise<void> {
    const { organizationId } = claim.caller;
    await db
      .deleteFrom('idempotency_keys')
      .where('organization_id', '=', organizationId)
      .where('created_at', '<=', now - REMEMBERED_MS)
      .execute();
    await db
      .insertInto('idempotency_keys')
      .values({
        organization_id: organizationId,
        oauth_application_id: claimant(claim.caller),
        key: claim.key,
        request_hash: fingerprint(masterKeys, keys.version, claim),
        sealed_body: seal(keys, json, sealingContext(claim)),
        created_at: now,
      })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }
}
