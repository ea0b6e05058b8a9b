import { instant } from '@lintel/access-core/instant';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { callAsOwner } from '../bridge/admin-client.ts';
import { door } from '../bridge/site-fixtures.ts';
import { TestBridge } from '../bridge/test-bridge.ts';
import { FaultyTcpProxy } from '../faults/faulty-tcp-proxy.ts';
import { GatewayProcess } from '../processes/gateway-process.ts';
import { waitUntil } from '../wait-until.ts';
import { claimGateway, removeGatewayData } from './claim-and-start-gateway.ts';
import { type FirmwareController, FirmwareSite } from './firmware-site.ts';

/** A site whose firmware controllers connect to a gateway process, over a link to the bridge that can be cut. */
export class FirmwareSiteWithGateway extends FirmwareSite {
  readonly link: FaultyTcpProxy;
  readonly gateway: GatewayProcess;
  readonly #dataDir: string;

  private constructor(site: FirmwareSite, link: FaultyTcpProxy, gateway: GatewayProcess, dataDir: string) {
    super(site.bridge, site.client, site.siteId, site.url);
    this.link = link;
    this.gateway = gateway;
    this.#dataDir = dataDir;
  }

  static override async open(): Promise<FirmwareSiteWithGateway> {
    const bridge = await TestBridge.open({ clock: () => instant(Date.now()) });
    bridge.now = instant(Date.now());
    const site = await FirmwareSite.open(bridge);
    const link = await FaultyTcpProxy.to(site.url);
    const dataDir = await claimGateway(bridge, site.client, site.siteId);
    const gateway = await GatewayProcess.start(dataDir, { upstream: link.url });
    return new FirmwareSiteWithGateway(site, link, gateway, dataDir);
  }

  /** Claims a controller and waits until the gateway lists it. It is not started yet. */
  override async claimController(gadgets: readonly CreateGadgetRequest[] = [door]): Promise<FirmwareController> {
    const made = await super.claimController(gadgets);
    const isKnown = async (): Promise<boolean> =>
      (await this.gateway.status()).controllers.some(({ device_id }) => device_id === made.deviceId);
    await waitUntil(isKnown, () => `the gateway to list ${made.deviceId}; log: ${this.gateway.log()}`);
    return made;
  }

  /** Makes the code at the reader open the gadget, which may belong to another controller. */
  async setInputRule(reader: FirmwareController, code: string, gadget_id: string): Promise<void> {
    const input_rules = [{ code, gadget_id, action_id: 'open' }] as never;
    await callAsOwner(this.bridge, this.client, 'PUT', `/devices/${reader.deviceId}/input_rules`, { input_rules });
  }

  /** Starts the controllers behind the gateway and waits until each has the current snapshot. */
  async start(...controllers: readonly FirmwareController[]): Promise<void> {
    for (const controller of controllers) controller.start(this.gateway.ready.mqtt);
    await this.waitUntilSynced(...controllers);
  }

  async waitUntilSynced(...controllers: readonly FirmwareController[]): Promise<void> {
    for (const controller of controllers) await controller.waitUntilSynced();
  }

  async cutLink(): Promise<void> {
    this.link.cut();
    await this.#waitUntilLinkIs('down');
  }

  async restoreLink(): Promise<void> {
    this.link.restore();
    await this.#waitUntilLinkIs('up');
  }

  async #waitUntilLinkIs(state: 'up' | 'down'): Promise<void> {
    await waitUntil(
      async () => (await this.gateway.status()).upstream.connected === (state === 'up'),
      () => `the link to be ${state}; log: ${this.gateway.log()}`,
      30_000,
    );
  }

  override async close(): Promise<void> {
    await super.close();
    await this.gateway.stop();
    this.link.close();
    await this.bridge.close();
    removeGatewayData(this.#dataDir);
  }
}
