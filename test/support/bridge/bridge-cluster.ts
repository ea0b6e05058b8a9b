import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MosquittoProcess, startMosquitto } from '../processes/mosquitto.ts';
import { runLintel } from '../processes/lintel-command.ts';
import { startBridge } from '../processes/bridge-process.ts';
import type { StartedProgram } from '../processes/start-program.ts';

export interface ClusterOptions {
  /** Address of the shared database, for the bridges. */
  readonly database: string;
  readonly args?: readonly string[];
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> & { readonly id: string };
}

/** Bridge processes with one database, one mosquitto and one cluster secret. Each has a data folder of its own. */
export class BridgeCluster {
  readonly folder: string;
  readonly database: string;
  readonly broker: MosquittoProcess;
  readonly bridges = new Map<string, StartedProgram>();
  readonly #args: readonly string[];

  private constructor(folder: string, broker: MosquittoProcess, { database, args = [] }: ClusterOptions) {
    this.folder = folder;
    this.broker = broker;
    this.database = database;
    this.#args = args;
  }

  static async open(options: ClusterOptions): Promise<BridgeCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-cluster-'));
    writeFileSync(join(folder, 'secret'), randomBytes(48).toString('base64'), { mode: 0o600 });
    return new BridgeCluster(folder, await startMosquitto(), options);
  }

  get secretFile(): string {
    return join(this.folder, 'secret');
  }

  dataDir(name: string): string {
    return join(this.folder, name);
  }

  /** Starts a bridge. `args` replace options of the cluster that come before them. */
  async start(name: string, ...args: readonly string[]): Promise<StartedProgram> {
    const common = ['--database', this.database, '--cluster-secret-file', this.secretFile];
    const broker = ['--mqtt-url', this.broker.url, '--log-level', 'warn'];
    const bridge = await startBridge(this.dataDir(name), ...common, ...broker, ...this.#args, ...args);
    this.bridges.set(name, bridge);
    return bridge;
  }

  async stop(name: string, signal?: NodeJS.Signals): Promise<void> {
    const bridge = this.bridges.get(name);
    this.bridges.delete(name);
    await bridge?.stop(signal);
  }

  /** Runs a command with the data folder of a bridge. Throws if it fails. */
  async run(name: string, ...args: readonly string[]): Promise<string> {
    const location = ['--data', this.dataDir(name), '--database', this.database];
    const result = await runLintel(...args, ...location, '--cluster-secret-file', this.secretFile);
    if (result.code !== 0) throw new Error(`lintel ${args.join(' ')}: ${result.stderr}`);
    return result.stdout;
  }

  /** Creates the objects of a seed file and returns their ids by key. */
  async seed(name: string, content: object): Promise<Readonly<Record<string, string>>> {
    const file = join(this.folder, 'seed.json');
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    return (JSON.parse(await this.run(name, 'seed', file, '--json')) as { ids: Record<string, string> }).ids;
  }

  async token(name: string, organizationId: string): Promise<string> {
    const scope = ['--organization', organizationId, '--scope', 'full_read_write'];
    return (await this.run(name, 'token', ...scope)).trim();
  }

  async call(
    name: string,
    token: string | null,
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
    timeoutMs = 60_000,
  ): Promise<JsonResponse> {
    const response = await fetch(`${this.bridges.get(name)!.ready['http']}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { id: '', text } };
  }

  async close(): Promise<void> {
    await Promise.all([...this.bridges.keys()].map(name => this.stop(name)));
    await this.broker.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
