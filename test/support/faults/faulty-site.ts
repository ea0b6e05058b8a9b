import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { instant } from '@lintel/access-core/instant';
import type { GatewayOptions, RunningGateway } from '@lintel/gateway/main';
import type { TestContext } from 'vitest';
import { TestBridge } from '../bridge/test-bridge.ts';
import { claimGateway, removeGatewayData, startGateway } from '../devices/claim-and-start-gateway.ts';
import { FirmwareSite, type FirmwareController } from '../devices/firmware-site.ts';
import { GatewayProcess } from '../processes/gateway-process.ts';
import { keepFailureEvidence } from './failure-evidence.ts';
import { FaultyTcpProxy } from './faulty-tcp-proxy.ts';

const CARD = '04a1b2c3d4e5f6';
const LIMIT_MS = 150_000;
const BACKLOG_LIMIT = 600;

/** A bridge for sites with faults: a gateway process cannot share a manual clock. */
export const openBridgeInRealTime = async (): Promise<TestBridge> => {
  const bridge = await TestBridge.open({ clock: () => instant(Date.now()) });
  bridge.now = instant(Date.now());
  return bridge;
};

/** Controllers with the real firmware behind a gateway, and faulty links on both of its sides. */
export class FaultySite {
  readonly bridge: TestBridge;
  readonly site: FirmwareSite;
  /** From the gateway to the bridge. */
  readonly uplink: FaultyTcpProxy;
  readonly dataDir: string;
  readonly doors: FirmwareController[] = [];
  /** The member whose card opens the doors. */
  member = '';
  #lan: FaultyTcpProxy | null = null;
  #process: GatewayProcess | null = null;
  #inProcess: RunningGateway | null = null;

  private constructor(bridge: TestBridge, site: FirmwareSite, uplink: FaultyTcpProxy, dataDir: string) {
    this.bridge = bridge;
    this.site = site;
    this.uplink = uplink;
    this.dataDir = dataDir;
  }

  /** `prepareData` may change the data directory of the gateway, or move it. */
  static async open(bridge: TestBridge, prepareData = (dataDir: string): string => dataDir): Promise<FaultySite> {
    const site = await FirmwareSite.open(bridge);
    const uplink = await FaultyTcpProxy.to(site.url);
    const dataDir = prepareData(await claimGateway(bridge, site.client, site.siteId));
    return new FaultySite(bridge, site, uplink, dataDir);
  }

  get gateway(): GatewayProcess {
    if (this.#process === null) throw new Error('The gateway does not run as a process');
    return this.#process;
  }

  /** From the controllers to the gateway. */
  get lan(): FaultyTcpProxy {
    if (this.#lan === null) throw new Error('The gateway has not been started');
    return this.#lan;
  }

  /** Uses the port of the process before, so that the controllers find it again. */
  async startProcess(): Promise<GatewayProcess> {
    const mqttPort = this.#process?.mqttPort ?? 0;
    this.#process = await GatewayProcess.start(this.dataDir, { upstream: this.uplink.url, mqttPort });
    this.#lan ??= await FaultyTcpProxy.to(`mqtt://127.0.0.1:${this.#process.mqttPort}`);
    return this.#process;
  }

  async startInProcess(options: Partial<GatewayOptions> = {}): Promise<RunningGateway> {
    const mqttPort = this.#inProcess === null ? 0 : Number(new URL(this.#inProcess.addresses().mqtt!).port);
    const given = { system: Date.now, mqttPort, ...options };
    this.#inProcess = await startGateway(this.bridge, this.dataDir, this.uplink.url, given);
    this.#lan ??= await FaultyTcpProxy.to(this.#inProcess.addresses().mqtt!);
    return this.#inProcess;
  }

  async status() {
    return this.#inProcess?.status() ?? (await this.gateway.status());
  }

  async waitUntil(isTrue: () => boolean | Promise<boolean>, description: string): Promise<void> {
    await this.site.waitUntil(isTrue, () => `${description}; ${this.#process?.log() ?? ''}`, LIMIT_MS);
  }

  async waitUntilConnected(isConnected: boolean): Promise<void> {
    const description = `the gateway to be ${isConnected ? 'online' : 'offline'}`;
    await this.waitUntil(async () => (await this.status()).upstream.connected === isConnected, description);
  }

  /** Claims and starts controllers that all open for the same card. */
  async addDoors(count: number): Promise<void> {
    for (let index = 0; index < count; index++) this.doors.push(await this.site.claimController());
    const group = await this.site.createGroup(...this.doors.map(({ gadgetId }) => gadgetId));
    this.member = await this.site.createMember(group, { uid: CARD });
    const knowsAll = async (): Promise<boolean> => (await this.status()).controllers.length === this.doors.length;
    await this.waitUntil(knowsAll, 'the gateway to know all controllers');
    for (const door of this.doors) door.start(this.lan.url);
    for (const door of this.doors) await door.waitUntilSynced();
  }

  /** Above a thousand waiting events, controllers upload new ones ahead of the backlog. */
  get isBacklogLong(): boolean {
    return this.doors.some(({ running }) => running.controller.waitingEventCount() > BACKLOG_LIMIT);
  }

  /** Opens each door once. */
  tapAll(): void {
    for (const door of this.doors) door.running.reader.tap(CARD);
  }

  /** Waits until the bridge has acknowledged all events of all controllers. */
  async waitUntilAllUploaded(): Promise<void> {
    for (const door of this.doors) {
      const isUploaded = (): boolean => door.running.controller.waitingEventCount() === 0;
      await this.waitUntil(isUploaded, `all events of ${door.deviceId} to be acknowledged`);
    }
  }

  /** The bridge has every event of each controller once, in the order in which they happened. */
  async expectAllOnceInOrder(taps: number): Promise<void> {
    await this.#expectAllOnce(taps, ids => ids);
  }

  /** The bridge has every event of each controller once, in any order. */
  async expectAllOnce(taps: number): Promise<void> {
    await this.#expectAllOnce(taps, ids => ids.toSorted());
  }

  async #expectAllOnce(taps: number, arrange: (ids: readonly string[]) => readonly string[]): Promise<void> {
    for (const { deviceId, recorded } of this.doors) {
      const happened = recorded.map(({ id }) => id as string);
      const uploaded = (await this.site.events(`object.device_id=${deviceId}`, 'recorded_at')).map(({ id }) => id);
      const own = new Set(happened);
      deepStrictEqual(arrange(uploaded.filter(id => own.has(id))), arrange(happened));
      strictEqual(recorded.filter(({ kind }) => kind === 'use').length, taps);
    }
    const uses = await this.site.events('verb=use&object.type=gadget_action', 'recorded_at');
    strictEqual(uses.length, taps * this.doors.length);
  }

  /** Keeps data and logs if the test failed. */
  async close(context: Pick<TestContext, 'task'>): Promise<void> {
    for (const door of this.doors) await door.stop();
    await this.#process?.stop('SIGKILL');
    await this.#inProcess?.stop();
    const controllers = this.doors.map(({ deviceId, logged }) => [deviceId, logged.join('\n')] as const);
    keepFailureEvidence(context, {
      directories: [this.bridge.dataDir, this.dataDir, ...this.doors.map(({ dataDir }) => dataDir)],
      logs: { gateway: this.#process?.log() ?? '', ...Object.fromEntries(controllers) },
    });
    await this.site.close();
    this.#lan?.close();
    this.uplink.close();
    removeGatewayData(this.dataDir);
  }
}
