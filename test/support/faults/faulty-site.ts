import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { instant } from '@lintel/access-core/instant';
import type { GatewayOptions, RunningGateway } from '@lintel/gateway/main';
import { BridgeWorld } from '../bridge/bridge-world.ts';
import { FirmwareHotel, type FirmwareDoor } from '../devices/firmware-hotel.ts';
import { GatewayProcess, type GatewayProcessOptions } from '../processes/gateway-process.ts';
import { claimGateway, forgetGateway, startGateway } from '../devices/site-gateway.ts';
import { FaultLine } from './fault-line.ts';

const CARD = '04a1b2c3d4e5f6';
const LATEST_MS = 45_000;
const MOST_WAITING = 600;

/** Doors with the real firmware behind a gateway, and lines on both of its sides that fail as a test likes. */
export class FaultySite {
  readonly world: BridgeWorld;
  readonly hotel: FirmwareHotel;
  /** From the gateway to the bridge. */
  readonly uplink: FaultLine;
  readonly dataDir: string;
  readonly doors: FirmwareDoor[] = [];
  #lan: FaultLine | null = null;
  #process: GatewayProcess | null = null;
  #inProcess: RunningGateway | null = null;

  private constructor(world: BridgeWorld, hotel: FirmwareHotel, uplink: FaultLine, dataDir: string) {
    this.world = world;
    this.hotel = hotel;
    this.uplink = uplink;
    this.dataDir = dataDir;
  }

  /** `placed`: puts the gateway's data folder elsewhere. */
  static async open(placed = (dataDir: string): string => dataDir): Promise<FaultySite> {
    const world = await BridgeWorld.open({ clock: () => instant(Date.now()) });
    world.now = instant(Date.now());
    const hotel = await FirmwareHotel.open(world);
    const uplink = await FaultLine.to(hotel.url);
    const dataDir = placed(await claimGateway(world, hotel.client, hotel.siteId));
    return new FaultySite(world, hotel, uplink, dataDir);
  }

  get gateway(): GatewayProcess {
    if (this.#process === null) throw new Error('the gateway is no process');
    return this.#process;
  }

  /** From the controllers to the gateway. */
  get lan(): FaultLine {
    if (this.#lan === null) throw new Error('the gateway has not been started');
    return this.#lan;
  }

  /** On the port of the one before it, so that the controllers find it again. */
  async startProcess(options: Partial<GatewayProcessOptions> = {}): Promise<GatewayProcess> {
    const mqttPort = this.#process?.mqttPort ?? 0;
    this.#process = await GatewayProcess.start(this.dataDir, { upstream: this.uplink.url, mqttPort, ...options });
    this.#lan ??= await FaultLine.to(`mqtt://127.0.0.1:${this.#process.mqttPort}`);
    return this.#process;
  }

  async startHere(given: Partial<GatewayOptions> = {}): Promise<RunningGateway> {
    this.#inProcess = await startGateway(this.world, this.dataDir, this.uplink.url, { system: Date.now, ...given });
    this.#lan ??= await FaultLine.to(this.#inProcess.addresses().mqtt!);
    return this.#inProcess;
  }

  async status() {
    return this.#inProcess?.status() ?? (await this.gateway.status());
  }

  async until(isTrue: () => boolean | Promise<boolean>, what: string, withinMs = LATEST_MS): Promise<void> {
    await this.hotel.until(isTrue, () => `${what}; ${this.#process?.log() ?? ''}`, withinMs);
  }

  async untilConnected(isConnected: boolean): Promise<void> {
    await this.until(async () => (await this.status()).upstream.connected === isConnected, 'the line as it should be');
  }

  /** Claimed, and let in by the gateway; all of them open for the card. */
  async newDoors(count: number): Promise<readonly FirmwareDoor[]> {
    for (let index = 0; index < count; index++) this.doors.push(await this.hotel.door());
    const group = await this.hotel.group(...this.doors.map(({ gadgetId }) => gadgetId));
    await this.hotel.member(group, { uid: CARD });
    await this.until(async () => (await this.status()).controllers.length === this.doors.length, 'all doors known');
    for (const door of this.doors) door.start(this.lan.url);
    for (const door of this.doors) await door.caughtUp();
    return this.doors;
  }

  /** Beyond a thousand that wait, controllers send what happens now in a lane of its own, ahead of the backlog. */
  get isFarBehind(): boolean {
    return this.doors.some(({ running }) => running.controller.waitingEvents() > MOST_WAITING);
  }

  /** Each door opens once. */
  tapAll(): void {
    for (const door of this.doors) door.running.reader.tap(CARD);
  }

  /** The controllers have the bridge's word for everything. */
  async allReported(): Promise<void> {
    for (const door of this.doors) {
      await this.until(() => door.running.controller.waitingEvents() === 0, `all events of ${door.deviceId}`);
    }
  }

  /** At the bridge is what happened at each door: each event once, and in its order. */
  async expectAllOnceInOrder(taps: number): Promise<void> {
    for (const { deviceId, recorded } of this.doors) {
      const happened = recorded.map(({ id }) => id as string);
      const told = (await this.hotel.events(`object.device_id=${deviceId}`, 'recorded_at')).map(({ id }) => id);
      const own = new Set(happened);
      deepStrictEqual(
        told.filter(id => own.has(id)),
        happened,
      );
      strictEqual(recorded.filter(({ kind }) => kind === 'use').length, taps);
    }
    const uses = await this.hotel.events('verb=use&object.type=gadget_action', 'recorded_at');
    strictEqual(uses.length, taps * this.doors.length);
  }

  async close(): Promise<void> {
    await this.hotel.close();
    await this.#process?.stop('SIGKILL');
    await this.#inProcess?.stop();
    this.#lan?.close();
    this.uplink.close();
    await this.world.close();
    forgetGateway(this.dataDir);
  }
}
