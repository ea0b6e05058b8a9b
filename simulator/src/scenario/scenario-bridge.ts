import type { Instant } from '@lintel/access-core/instant';
import { issueScriptTokens } from '@lintel/cloud-bridge/accounts/issue-cli-oauth-tokens';
import { type Bridge, createBridge } from '@lintel/cloud-bridge/main';
import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import { deleteDueEndedMembers } from '@lintel/cloud-bridge/tasks/member-auto-deletion';
import type { WriteContext } from '@lintel/cloud-bridge/transactions/organization-writer';
import type { InProcessBroker } from './in-process-broker.ts';
import { removeScratchFolder, createScratchFolder } from '../scratch-folder.ts';
import { BOOKING_SYSTEM_SEED_KEY, HOTEL_SEED_KEY, createScenarioWorldSeed } from './world-seed.ts';
import type { ScenarioWorldPlan } from './world-schema.ts';

export interface ScenarioBridgeResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Tokens also expire by the scenario's clock. */
const TOKEN_MS = 600_000;
const WEBHOOK_SWEEP_MS = 20;

/** The real bridge in this process, with API access for the booking system. */
export class ScenarioBridge {
  readonly bridge: Bridge;
  readonly ids: Readonly<Record<string, string>>;
  readonly #dataDir: string;
  #token: { readonly text: string; readonly until: number } | null = null;

  private constructor(bridge: Bridge, ids: Readonly<Record<string, string>>, dataDir: string) {
    this.bridge = bridge;
    this.ids = ids;
    this.#dataDir = dataDir;
  }

  /** `receiverUrl` is the only private address that webhooks may reach. */
  static async open(
    plan: ScenarioWorldPlan,
    clock: () => Instant,
    transport: InProcessBroker,
    receiverUrl: string,
  ): Promise<ScenarioBridge> {
    const dataDir = createScratchFolder();
    const bridge = await createBridge({
      dataDir,
      clock,
      transport,
      logger: false,
      publicUrl: 'http://bridge.invalid',
      rateLimit: { perSecond: 1e9, burst: 1e9 },
      autoDeletionMs: null,
      webhookAllow: [new URL(receiverUrl).host],
      webhookSweepMs: WEBHOOK_SWEEP_MS,
    });
    // A round trip through JSON removes undefined fields.
    const file = parseSeedFile(JSON.parse(JSON.stringify(createScenarioWorldSeed(plan))));
    if (!file.ok) throw new Error(file.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
    const { ids } = await seedOrganization(bridge.services, file.value);
    return new ScenarioBridge(bridge, ids, dataDir);
  }

  get organizationId(): string {
    return this.ids[HOTEL_SEED_KEY]!;
  }

  /** The door's name in the scenario file. */
  doorNamed(id: string | null | undefined): string | null {
    const key = Object.keys(this.ids).find(candidate => this.ids[candidate] === id);
    return key?.replace(/^door /, '') ?? null;
  }

  async #authorization(): Promise<string> {
    const { services } = this.bridge;
    const now = services.clock();
    if (this.#token === null || now >= this.#token.until) {
      const grant = {
        organizationId: this.organizationId,
        applicationId: this.ids[BOOKING_SYSTEM_SEED_KEY],
        scope: 'full_read_write',
      };
      this.#token = { text: (await issueScriptTokens(services, grant)).access_token, until: now + TOKEN_MS };
    }
    return `Bearer ${this.#token.text}`;
  }

  async call(method: Method, path: string, body?: object): Promise<ScenarioBridgeResponse> {
    const response = await this.bridge.app.inject({
      method,
      url: `/v2${path}`,
      headers: { authorization: await this.#authorization() },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, body: response.json<ScenarioBridgeResponse['body']>() };
  }

  /** Reads all pages of a list. */
  async list<T>(path: string): Promise<T[]> {
    const all: T[] = [];
    for (let cursor = ''; ; ) {
      const { status, body } = await this.call('GET', `${path}${cursor}`);
      if (status !== 200) throw new Error(`GET ${path}: ${JSON.stringify(body)}`);
      all.push(...(body['data'] as T[]));
      if (body['has_next'] !== true) return all;
      cursor = `&cursor=${encodeURIComponent(String(body['cursor_next']))}`;
    }
  }

  /** Runs an administrator's operation that the public API does not offer. */
  administer<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
    return this.bridge.services.writer.write(this.organizationId, {}, work);
  }

  async deleteExpired(): Promise<void> {
    await deleteDueEndedMembers(this.bridge.services, error => {
      throw error;
    });
  }

  async revision(): Promise<number> {
    const { revision } = await this.bridge.services.storage.reader
      .selectFrom('organizations')
      .select('revision')
      .where('id', '=', this.organizationId)
      .executeTakeFirstOrThrow();
    return revision;
  }

  async close(): Promise<void> {
    await this.bridge.close();
    removeScratchFolder(this.#dataDir);
  }
}
