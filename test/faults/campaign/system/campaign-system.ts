import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { type PostgresServer, startPostgres } from '../../../support/bridge/postgres.ts';
import { findFreePort } from '../../../support/find-free-port.ts';
import { TestBridge } from '../../../support/bridge/test-bridge.ts';
import { claimGateway } from '../../../support/devices/claim-and-start-gateway.ts';
import { FirmwareSite } from '../../../support/devices/firmware-site.ts';
import { FaultyTcpProxy } from '../../../support/faults/faulty-tcp-proxy.ts';
import { SmallDisk } from '../../../support/faults/small-disk.ts';
import { lintelProgramFile } from '../../../support/processes/bundled-programs.ts';
import type { FaultTargets } from '../schedule/fault-schedule.ts';
import { CampaignController } from './campaign-controller.ts';
import { PartProcess } from './restarting-process.ts';

export type CampaignDatabase = 'sqlite' | 'postgres';

const CONTROLLERS = 10;
/** The others connect to the bridge directly. */
const BEHIND_GATEWAY = 7;
const CONTROLLER_DISK_MB = 24;
const GATEWAY_DISK_MB = 32;
const BRIDGE_DISK_MB = 256;
const TOKEN_LIFETIME_MS = 30 * 24 * 3_600_000;

const urlOf = (port: number): string => `mqtt://127.0.0.1:${port}`;

/** The whole system in processes, with a faulty link on every connection. */
export class CampaignSystem {
  readonly database: CampaignDatabase;
  readonly links = new Map<string, FaultyTcpProxy>();
  readonly disks = new Map<string, SmallDisk>();
  readonly controllers: CampaignController[] = [];
  readonly #cleanups: Array<() => unknown> = [];
  #bridge: PartProcess | null = null;
  #gateway: PartProcess | null = null;
  postgres: PostgresServer | null = null;
  /** Without a link. */
  databaseUrl: string | null = null;
  bridgeDir = '';
  gatewayDir = '';
  token = '';

  readonly #wantsSmallDisks: boolean;

  private constructor(database: CampaignDatabase, wantsSmallDisks: boolean) {
    this.database = database;
    this.#wantsSmallDisks = wantsSmallDisks;
  }

  static async open(
    database: CampaignDatabase,
    webhookPort: number,
    wantsSmallDisks: boolean,
  ): Promise<CampaignSystem> {
    const system = new CampaignSystem(database, wantsSmallDisks);
    try {
      await system.#open(webhookPort);
    } catch (error) {
      await system.close();
      throw error;
    }
    return system;
  }

  get bridge(): PartProcess {
    if (this.#bridge === null) throw new Error('The bridge has not been started');
    return this.#bridge;
  }

  get gateway(): PartProcess {
    if (this.#gateway === null) throw new Error('The gateway has not been started');
    return this.#gateway;
  }

  get parts(): readonly PartProcess[] {
    return [this.bridge, this.gateway, ...this.controllers.map(({ part }) => part)];
  }

  /** By name of the part. */
  get dataFolders(): ReadonlyMap<string, string> {
    const controllers = this.controllers.map(({ part, dataDir }) => [part.name, dataDir] as const);
    return new Map([[this.bridge.name, this.bridgeDir], [this.gateway.name, this.gatewayDir], ...controllers]);
  }

  get targets(): FaultTargets {
    return {
      controllers: this.controllers.map((_, index) => String(index)),
      links: [...this.links.keys()],
      hasSmallDisks: this.disks.size > 0,
      hasPostgres: this.database === 'postgres',
    };
  }

  /** Address of the bridge's HTTP server through this link. */
  httpUrl(link: 'api' | 'stream' | 'poller'): string {
    return `http://127.0.0.1:${this.links.get(link)!.port}`;
  }

  async #link(name: string, port: number): Promise<FaultyTcpProxy> {
    const link = await FaultyTcpProxy.to(urlOf(port));
    this.links.set(name, link);
    this.#cleanups.push(() => link.close());
    return link;
  }

  /** Moves a data folder to a disk of its own, if one can be mounted. */
  #toDisk(name: string, folder: string, megabytes: number): string {
    const disk = this.#wantsSmallDisks ? SmallDisk.tryMount(megabytes) : null;
    if (disk === null) {
      this.#cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    }
    this.disks.set(name, disk);
    this.#cleanups.push(() => disk.unmount());
    const copy = disk.copyOf(folder);
    rmSync(folder, { recursive: true, force: true });
    return copy;
  }

  async #open(webhookPort: number): Promise<void> {
    const [http, mqtt, lan] = [await findFreePort(), await findFreePort(), await findFreePort()];
    for (const name of ['api', 'stream', 'poller']) await this.#link(name, http);
    await this.#link('webhooks', webhookPort);
    const uplink = await this.#link('uplink', mqtt);
    const database = this.database === 'postgres' ? await this.#openPostgres() : [];
    await this.#claim(index => (index < BEHIND_GATEWAY ? lan : mqtt));
    const ports = ['--http-port', String(http), '--mqtt-port', String(mqtt), '--public-url', this.httpUrl('api')];
    const limits = ['--rate-limit', '1000000', '--log-level', 'error', '--webhook-allow', '127.0.0.0/8'];
    const bridgeCall = [lintelProgramFile, 'bridge', '--data', this.bridgeDir, ...ports, ...limits, ...database];
    this.#bridge = new PartProcess({ name: 'bridge', call: bridgeCall });
    const listeners = ['--listen', '127.0.0.1:0', '--mqtt-port', String(lan), '--no-mdns', '--upstream', uplink.url];
    this.#gateway = new PartProcess({
      name: 'gateway',
      call: [lintelProgramFile, 'gateway', '--data', this.gatewayDir, ...listeners],
    });
    // Before the disks are removed.
    this.#cleanups.push(() => Promise.all(this.parts.map(part => part.kill())));
    await Promise.all(this.parts.map(part => part.start()));
  }

  async #openPostgres(): Promise<readonly string[]> {
    // The server crashes, the machine does not.
    const server = await startPostgres(['-c', 'fsync=off']);
    this.postgres = server;
    this.#cleanups.push(() => server.stop());
    const url = new URL(await server.newDatabase());
    this.databaseUrl = url.href;
    url.port = String((await this.#link('database', Number(url.port))).port);
    return ['--database', url.href];
  }

  /** Claims gateway and controllers at a bridge in this process, which then hands its data over. */
  async #claim(portOf: (index: number) => number): Promise<void> {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-campaign-'));
    const bridge = await TestBridge.open({
      clock: () => instant(Date.now()),
      publicUrl: this.httpUrl('api'),
      dataDir,
      ...(this.databaseUrl === null ? {} : { database: this.databaseUrl }),
    });
    bridge.now = instant(Date.now());
    const site = await FirmwareSite.open(bridge);
    this.token = site.client.token;
    await this.#keepTokenValid(bridge);
    this.gatewayDir = this.#toDisk('gateway', await claimGateway(bridge, site.client, site.siteId), GATEWAY_DISK_MB);
    for (let index = 0; index < CONTROLLERS; index++) {
      const name = String(index);
      const { dataDir: claimed, deviceId, gadgetId } = await site.claimController();
      const link = await this.#link(`controller ${name}`, portOf(index));
      const folder = this.#toDisk(name, claimed, CONTROLLER_DISK_MB);
      this.controllers.push(new CampaignController(name, { door: gadgetId, deviceId }, folder, link.url));
    }
    await bridge.bridge.close();
    this.bridgeDir = this.#toDisk('bridge', dataDir, BRIDGE_DISK_MB);
  }

  /** An access token expires after an hour, and a run may take longer. */
  async #keepTokenValid({ bridge }: TestBridge): Promise<void> {
    const expires_at = Date.now() + TOKEN_LIFETIME_MS;
    await bridge.services.storage.writer.updateTable('oauth_tokens').set({ expires_at }).execute();
  }

  /** Copies data and logs of all parts to a folder. */
  keepEvidence(folder: string): void {
    for (const [name, data] of this.dataFolders) cpSync(data, join(folder, name), { recursive: true });
  }

  async close(): Promise<void> {
    for (const cleanUp of this.#cleanups.splice(0).toReversed()) await cleanUp();
  }
}
