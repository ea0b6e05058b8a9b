import { startTechnicianServer, type TechnicianServer } from '@lintel/device-runtime/testing';
import { technicianInputRulesResponseSchema } from '@lintel/wire-protocol/technician/input-rules';
import { type AdminClient, openAdminSession } from '../bridge/admin-client.ts';
import type { TestBridge } from '../bridge/test-bridge.ts';
import { type FirmwareController, FirmwareSite } from '../devices/firmware-site.ts';
import { TechnicianApiClient } from './technician-api-client.ts';
import { technicianKey } from './technician-key.ts';

export const UNREACHABLE_BROKER = 'mqtt://127.0.0.1:1';

/** A claimed controller with the real firmware, and a technician with a pass of its site. */
export class ClaimedControllerFixture {
  readonly site: FirmwareSite;
  readonly controller: FirmwareController;
  readonly technician: AdminClient;
  readonly pass: string;
  #page: TechnicianServer | null = null;
  #client: TechnicianApiClient | null = null;

  private constructor(site: FirmwareSite, controller: FirmwareController, technician: AdminClient, pass: string) {
    this.site = site;
    this.controller = controller;
    this.technician = technician;
    this.pass = pass;
  }

  /** In a new organization of the bridge. `url` is the address of its broker. */
  static async create(bridge: TestBridge, url: string): Promise<ClaimedControllerFixture> {
    const site = await FirmwareSite.open(bridge, { url });
    const controller = await site.claimController();
    const technician = await openAdminSession(bridge, site.client.organizationId, 'technician', [site.siteId]);
    const request = { site_id: site.siteId, public_key: technicianKey.publicKey };
    const { pass } = await technician.callOk('POST', '/technician_passes', request);
    return new ClaimedControllerFixture(site, controller, technician, String(pass));
  }

  /** Restarts the firmware with this broker and logs the technician in at its page. */
  async restart(url: string = this.site.url): Promise<TechnicianApiClient> {
    await this.stop();
    const { controller } = this;
    const parts = { dataDir: controller.dataDir, device: controller.start(url), productId: 'virtual' };
    const silent = { log: () => undefined, console: () => undefined };
    this.#page = await startTechnicianServer({ ...parts, ...silent, host: '127.0.0.1', port: 0 });
    this.#client = new TechnicianApiClient(this.#page.url);
    const { status } = await this.#client.login({ pass: this.pass });
    if (status !== 200) throw new Error(`The login with the pass was answered with ${status}`);
    return this.#client;
  }

  async controllerRules() {
    return technicianInputRulesResponseSchema.parse((await this.#client!.call('GET', '/input_rules')).body);
  }

  async bridgeRules(deviceId: string = this.controller.deviceId) {
    return (await this.site.client.callOk('GET', `/devices/${deviceId}`))['input_rules'];
  }

  /** The events that match the filter and have the technician as their subject. */
  async technicianEvents(filter: string) {
    const events = await this.site.events(filter);
    const { userId } = this.technician;
    return events.filter(({ subject }) => (subject as { user_id?: unknown } | null)?.user_id === userId);
  }

  async stop(): Promise<void> {
    await this.#page?.stop();
    this.#page = null;
    await this.controller.stop();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.site.close();
  }
}
