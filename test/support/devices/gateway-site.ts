import type { RunningGateway } from '@lintel/gateway/main';
import { vi } from 'vitest';
import type { BridgeWorld } from '../bridge/bridge-world.ts';
import { aController, DeviceHotel } from './device-hotel.ts';
import { FaultLine } from '../faults/fault-line.ts';
import { claimGateway, forgetGateway, startGateway } from './site-gateway.ts';
import type { TestController } from './test-controller.ts';

/** A hotel whose controllers reach the bridge through a gateway, over a line that can be cut. */
export class GatewaySite {
  readonly hotel: DeviceHotel;
  readonly line: FaultLine;
  readonly dataDir: string;
  gateway: RunningGateway;
  readonly #others: TestController[] = [];

  private constructor(hotel: DeviceHotel, line: FaultLine, dataDir: string, gateway: RunningGateway) {
    this.hotel = hotel;
    this.line = line;
    this.dataDir = dataDir;
    this.gateway = gateway;
  }

  static async open(world: BridgeWorld): Promise<GatewaySite> {
    const hotel = await DeviceHotel.open(world);
    const line = await FaultLine.to(hotel.url);
    const dataDir = await claimGateway(world, hotel.client, hotel.siteId);
    const gateway = await startGateway(world, dataDir, line.url);
    const site = new GatewaySite(hotel, line, dataDir, gateway);
    await site.untilOnline(true);
    await vi.waitUntil(() => gateway.status().controllers.length === 1, { timeout: 10_000 });
    return site;
  }

  get url(): string {
    return this.gateway.addresses().mqtt!;
  }

  async untilOnline(isOnline: boolean): Promise<void> {
    await vi.waitUntil(() => this.gateway.status().upstream.connected === isOnline, { timeout: 10_000 });
  }

  async cut(): Promise<void> {
    this.line.cut();
    await this.untilOnline(false);
  }

  async restore(): Promise<void> {
    this.line.restore();
    await this.untilOnline(true);
  }

  /** Another controller of the site, which the gateway has heard of. */
  async another(): Promise<TestController> {
    const controller = await aController(this.hotel.world, this.hotel.client, this.hotel.siteId);
    this.#others.push(controller);
    const { deviceId } = controller;
    await vi.waitUntil(() => this.gateway.status().controllers.some(({ device_id }) => device_id === deviceId), {
      timeout: 10_000,
    });
    return controller;
  }

  async restart(): Promise<void> {
    await this.gateway.stop();
    this.gateway = await startGateway(this.hotel.world, this.dataDir, this.line.url);
  }

  waiting(): number {
    return this.gateway.status().queue.events;
  }

  async isOnline(deviceId: string): Promise<boolean> {
    const { status } = await this.hotel.client.done('GET', `/devices/${deviceId}`);
    return (status as { online: boolean }).online;
  }

  /** Ids of what happened at the controller, in the order of their commit. */
  async recorded(controller: TestController): Promise<string[]> {
    const path = `/events?object.device_id=${controller.deviceId}&object.type=gadget_action&sort=recorded_at:asc&limit=100`;
    return (await this.hotel.client.done('GET', path)).data.map(({ id }) => id);
  }

  async close(): Promise<void> {
    for (const one of [this.hotel.controller, ...this.#others]) await one.stop();
    await this.gateway.stop();
    this.line.close();
    forgetGateway(this.dataDir);
  }
}
