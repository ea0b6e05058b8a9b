import type { RunningGateway } from '@lintel/gateway/main';
import type { TestBridge } from '../bridge/test-bridge.ts';
import { FaultyTcpProxy } from '../faults/faulty-tcp-proxy.ts';
import { waitUntil } from '../wait-until.ts';
import { claimGateway, removeGatewayData, startGateway } from './claim-and-start-gateway.ts';
import { claimController, ControllerSite } from './controller-site.ts';
import type { TestController } from './test-controller.ts';

/** A site whose protocol-level controllers reach the bridge through a gateway, over a link that can be cut. */
export class GatewaySite extends ControllerSite {
  readonly link: FaultyTcpProxy;
  readonly dataDir: string;
  gateway: RunningGateway;
  readonly #others: TestController[] = [];

  private constructor(site: ControllerSite, link: FaultyTcpProxy, dataDir: string, gateway: RunningGateway) {
    super(site);
    this.link = link;
    this.dataDir = dataDir;
    this.gateway = gateway;
  }

  static override async open(bridge: TestBridge): Promise<GatewaySite> {
    const site = await ControllerSite.open(bridge);
    const link = await FaultyTcpProxy.to(site.bridgeUrl);
    const dataDir = await claimGateway(bridge, site.client, site.siteId);
    const gateway = await startGateway(bridge, dataDir, link.url);
    const made = new GatewaySite(site, link, dataDir, gateway);
    await made.waitUntilLinkIs('up');
    await made.#waitUntilKnown(site.controller);
    return made;
  }

  override get url(): string {
    return this.gateway.addresses().mqtt!;
  }

  async waitUntilLinkIs(state: 'up' | 'down'): Promise<void> {
    await waitUntil(
      () => this.gateway.status().upstream.connected === (state === 'up'),
      () => `the link to be ${state}`,
    );
  }

  async cutLink(): Promise<void> {
    this.link.cut();
    await this.waitUntilLinkIs('down');
  }

  async restoreLink(): Promise<void> {
    this.link.restore();
    await this.waitUntilLinkIs('up');
  }

  async #waitUntilKnown({ deviceId }: TestController): Promise<void> {
    await waitUntil(
      () => this.gateway.status().controllers.some(({ device_id }) => device_id === deviceId),
      () => `the gateway to list ${deviceId}`,
    );
  }

  /** Claims another controller of the site and waits until the gateway lists it. */
  async claimAnotherController(): Promise<TestController> {
    const controller = await claimController(this.bridge, this.client, this.siteId);
    this.#others.push(controller);
    await this.#waitUntilKnown(controller);
    return controller;
  }

  async restartGateway(): Promise<void> {
    await this.gateway.stop();
    this.gateway = await startGateway(this.bridge, this.dataDir, this.link.url);
  }

  /** Ids of the controller's `gadget_action` events, in commit order. */
  async recordedEventIds({ deviceId }: TestController): Promise<string[]> {
    const filter = `object.device_id=${deviceId}&object.type=gadget_action`;
    const { data } = await this.client.callOk('GET', `/events?${filter}&sort=recorded_at:asc&limit=100`);
    return data.map(({ id }) => id);
  }

  async close(): Promise<void> {
    for (const controller of [this.controller, ...this.#others]) await controller.stop();
    await this.gateway.stop();
    this.link.close();
    removeGatewayData(this.dataDir);
  }
}
