import { rmSync } from 'node:fs';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import type { ApiBody, TestBridge, TestOrganizationClient } from '../bridge/test-bridge.ts';
import { claimDataFolder } from './create-claimed-data-folder.ts';
import { createTestSite, door } from '../bridge/site-fixtures.ts';
import { waitUntil } from '../wait-until.ts';

export type Firmware = ReturnType<typeof createSimulatedController>;
type FirmwareOptions = Partial<Parameters<typeof createSimulatedController>[0]>;

/** A claimed data folder and the real firmware in it, with simulated parts. Tests start and stop the firmware. */
export class FirmwareController {
  readonly site: FirmwareSite;
  readonly dataDir: string;
  readonly deviceId: string;
  readonly gadgetIds: readonly string[];
  readonly recorded: DeviceEvent[] = [];
  readonly logged: string[] = [];
  device: Firmware | null = null;
  #earlierSession: object | undefined;

  constructor(site: FirmwareSite, dataDir: string, deviceId: string, gadgetIds: readonly string[]) {
    this.site = site;
    this.dataDir = dataDir;
    this.deviceId = deviceId;
    this.gadgetIds = gadgetIds;
  }

  get gadgetId(): string {
    return this.gadgetIds[0]!;
  }

  get running(): Firmware {
    if (this.device === null) throw new Error('the firmware is not running');
    return this.device;
  }

  /** With `url` null it connects to the brokers from the claim response. */
  start(url: string | null = this.site.url, options: FirmwareOptions = {}): Firmware {
    const { bridge } = this.site;
    this.#earlierSession = bridge.devices.sessions.of(this.deviceId);
    this.device = createSimulatedController({
      dataDir: this.dataDir,
      log: (level, message, facts) => this.logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`),
      onEventRecorded: event => void this.recorded.push(event),
      system: { now: () => bridge.now, isSynchronized: () => false },
      network: { product_id: 'virtual', firmware: 'test', url: url ?? undefined },
      ...options,
    });
    return this.device;
  }

  async stop(): Promise<void> {
    const { device } = this;
    this.device = null;
    await device?.stop();
  }

  get isUnlocked(): boolean {
    return this.running.outputs.isOn('strike-0');
  }

  get isOnline(): boolean {
    return this.running.upstream()?.online ?? false;
  }

  /** Waits until the bridge has answered its first hello since the start. Before that, actions fail as if it were offline. */
  async waitUntilSessionOpened(): Promise<void> {
    const current = () => this.site.bridge.devices.sessions.of(this.deviceId);
    await waitUntil(
      () => current() !== undefined && current() !== this.#earlierSession,
      () => `a session at the bridge; log: ${this.logged.join('\n')}`,
    );
  }

  /** Waits until it is online with the snapshot of the bridge's current revision. */
  async waitUntilSynced(): Promise<void> {
    const revision = await this.site.revision();
    await waitUntil(
      () => this.isOnline && (this.running.controller.storedSnapshot?.revision ?? -1) >= revision,
      () => `revision ${revision} at the controller; log: ${this.logged.join('\n')}`,
    );
  }

  /** Waits until the bridge has acknowledged every event. */
  async waitUntilEventsUploaded(): Promise<void> {
    await waitUntil(
      () => this.running.controller.waitingEventCount() === 0,
      () => `all events to be acknowledged; log: ${this.logged.join('\n')}`,
    );
  }
}

/** A site of an organization whose controllers run the real firmware. */
export class FirmwareSite {
  readonly bridge: TestBridge;
  readonly client: TestOrganizationClient;
  readonly siteId: string;
  readonly url: string;
  readonly #controllers: FirmwareController[] = [];

  protected constructor(bridge: TestBridge, client: TestOrganizationClient, siteId: string, url: string) {
    this.bridge = bridge;
    this.client = client;
    this.siteId = siteId;
    this.url = url;
  }

  /** `url` is the broker's, if it is not the bridge's own. `client` is of another organization than a new one. */
  static async open(
    bridge: TestBridge,
    given: { readonly url?: string; readonly client?: TestOrganizationClient } = {},
  ): Promise<FirmwareSite> {
    const { url, client = await bridge.newOrganization() } = given;
    const siteId = await createTestSite(bridge, client);
    const { broker } = bridge.devices;
    const listening = url ?? `mqtt://127.0.0.1:${await broker!.listen('127.0.0.1', 0)}`;
    return new FirmwareSite(bridge, client, siteId, listening);
  }

  /** Claims a controller. It is not started yet. */
  async claimController(gadgets: readonly CreateGadgetRequest[] = [door]): Promise<FirmwareController> {
    const { bridge, client, siteId } = this;
    const device = { product_id: 'virtual', revision_id: '1', name: 'Front', gadgets: [...gadgets] };
    const { dataDir, deviceId } = await claimDataFolder(bridge, client, siteId, device);
    const { data } = await client.callOk('GET', `/gadgets?device_id=${deviceId}&sort=created_at:asc`);
    const gadgetIds = data.map(({ id }) => id);
    const made = new FirmwareController(this, dataDir, deviceId, gadgetIds);
    this.#controllers.push(made);
    return made;
  }

  /** A group with permission for every action of the gadgets. */
  async createGroup(...gadgetIds: readonly string[]): Promise<string> {
    const permissions = gadgetIds.map(gadget_id => ({ gadget_id }));
    const { id } = await this.client.callOk('POST', '/member_groups', { name: 'Guests', permissions });
    return id;
  }

  async createMember(groupId: string, credentials: { readonly pin?: string; readonly uid?: string }): Promise<string> {
    const { id } = await this.client.callOk('POST', '/members', { name: 'Ann' });
    await this.client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: groupId });
    if (credentials.pin !== undefined)
      await this.client.callOk('POST', `/members/${id}/pins`, { pin: credentials.pin });
    if (credentials.uid !== undefined)
      await this.client.callOk('POST', `/members/${id}/cards`, { uid: credentials.uid });
    return id;
  }

  /** All events that match the filter, oldest first. */
  async events(filter: string, order = 'created_at'): Promise<readonly ApiBody[]> {
    const all: ApiBody[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.client.callOk('GET', `/events?${filter}&sort=${order}:asc&limit=100${cursor}`);
      all.push(...page.data);
      if (!page.has_next) return all;
      cursor = `&cursor=${encodeURIComponent(page.cursor_next)}`;
    }
  }

  async revision(bridge: TestBridge = this.bridge): Promise<number> {
    const { revision } = await bridge.services.storage.reader
      .selectFrom('organizations')
      .select('revision')
      .where('id', '=', this.client.organizationId)
      .executeTakeFirstOrThrow();
    return revision;
  }

  /** The shared `waitUntil`. */
  waitUntil(...args: Parameters<typeof waitUntil>): Promise<void> {
    return waitUntil(...args);
  }

  async close(): Promise<void> {
    for (const made of this.#controllers) {
      await made.stop();
      rmSync(made.dataDir, { recursive: true, force: true });
    }
  }
}
