import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BridgeCluster, JsonResponse } from '../support/bridge/bridge-cluster.ts';

const RETRY_MS = 100;
const TIMEOUT_MS = 10_000;

/** Clients that create members at any bridge, and repeat a request with its Idempotency-Key until it is acknowledged. */
export class MemberWriters {
  readonly #cluster: BridgeCluster;
  readonly #token: string;
  readonly #runs: Promise<void>[];
  #isStopped = false;
  /** Ids of the acknowledged members, by Idempotency-Key. */
  readonly acknowledged = new Map<string, string>();
  retries = 0;

  constructor(cluster: BridgeCluster, token: string, writers: number, pauseMs: number) {
    this.#cluster = cluster;
    this.#token = token;
    this.#runs = Array.from({ length: writers }, (_, writer) => this.#write(writer, pauseMs));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#runs);
  }

  async #write(writer: number, pauseMs: number): Promise<void> {
    for (let turn = writer; !this.#isStopped; turn++) {
      const key = randomUUID();
      const { body } = await this.#createMember(key, turn);
      this.acknowledged.set(key, body.id);
      await delay(pauseMs);
    }
  }

  async #createMember(key: string, turn: number): Promise<JsonResponse> {
    for (let attempt = 0; ; attempt++) {
      const names = [...this.#cluster.bridges.keys()];
      const response = await this.#post(names[(turn + attempt) % names.length], key).catch(() => null);
      if (response?.status === 200) return response;
      if (response !== null && response.status < 500)
        throw new Error(`POST /members: ${response.status} ${JSON.stringify(response.body)}`);
      this.retries += 1;
      await delay(RETRY_MS);
    }
  }

  async #post(bridge: string | undefined, key: string): Promise<JsonResponse> {
    if (bridge === undefined) throw new Error('No bridge is running');
    const headers = { 'idempotency-key': key };
    return this.#cluster.call(bridge, this.#token, 'POST', '/v2/members', { name: key }, headers, TIMEOUT_MS);
  }
}
