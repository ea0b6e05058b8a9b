import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { redeemed } from '@lintel/wire-protocol/claiming/redemption';
import { toldDigestKey } from '@lintel/device-link/identity/digest-key';
import { openDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { openHardwareId } from '@lintel/device-link/identity/hardware-id';
import { MembershipFile, membershipOf } from '@lintel/device-link/identity/membership';
import { DigestKeyFile } from '@lintel/device-runtime/adapters/digest-key/key-file';
import { createSimulatedController } from '@lintel/device-runtime/main';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import type { Body, BridgeWorld, OrganizationClient } from '../bridge/bridge-world.ts';
import { aTicket } from './controller-identity.ts';
import { aSite, door } from '../bridge/place.ts';

export type Firmware = ReturnType<typeof createSimulatedController>;
type FirmwareOptions = Partial<Parameters<typeof createSimulatedController>[0]>;

/** The firmware's data folder, claimed. The controller in it is started and stopped as a test likes. */
export class FirmwareDoor {
  readonly hotel: FirmwareHotel;
  readonly dataDir: string;
  readonly deviceId: string;
  readonly gadgetIds: readonly string[];
  readonly recorded: DeviceEvent[] = [];
  readonly logged: string[] = [];
  device: Firmware | null = null;

  constructor(hotel: FirmwareHotel, dataDir: string, deviceId: string, gadgetIds: readonly string[]) {
    this.hotel = hotel;
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

  /** `url` null: the brokers that claiming named. */
  start(url: string | null = this.hotel.url, options: FirmwareOptions = {}): Firmware {
    const { world } = this.hotel;
    this.device = createSimulatedController({
      dataDir: this.dataDir,
      log: (level, message, facts) => this.logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`),
      recorded: event => void this.recorded.push(event),
      system: { now: () => world.now, isSynchronized: () => false },
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

  /** Connected, and serving what the bridge has for it now. */
  async caughtUp(): Promise<void> {
    const revision = await this.hotel.revision();
    await this.hotel.until(
      () => this.isOnline && (this.running.controller.heldSlice?.revision ?? -1) >= revision,
      () => `revision ${revision}; log: ${this.logged.join('\n')}`,
    );
  }

  /** The bridge has all that has happened here. */
  async reported(): Promise<void> {
    await this.hotel.until(
      () => this.running.controller.waitingEvents() === 0,
      () => `all events; log: ${this.logged.join('\n')}`,
    );
  }
}

const POLL_MS = 5;
const LATEST_MS = 10_000;

/** A bridge's organization with a site whose controllers run the real firmware. */
export class FirmwareHotel {
  readonly world: BridgeWorld;
  readonly client: OrganizationClient;
  readonly siteId: string;
  readonly url: string;
  readonly #doors: FirmwareDoor[] = [];

  private constructor(world: BridgeWorld, client: OrganizationClient, siteId: string, url: string) {
    this.world = world;
    this.client = client;
    this.siteId = siteId;
    this.url = url;
  }

  /** `url`: of a broker that is not the bridge's own. */
  static async open(world: BridgeWorld, { url }: { readonly url?: string } = {}): Promise<FirmwareHotel> {
    const client = await world.newOrganization();
    const siteId = await aSite(world, client);
    const { broker } = world.bridge.devices;
    const listening = url ?? `mqtt://127.0.0.1:${await broker!.listen('127.0.0.1', 0)}`;
    return new FirmwareHotel(world, client, siteId, listening);
  }

  /** A claimed controller, not started yet. */
  async door(gadgets: readonly GadgetCreate[] = [door]): Promise<FirmwareDoor> {
    const { world, client } = this;
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-firmware-'));
    const keys = openDeviceKeys(dataDir);
    const digestKey = toldDigestKey(new DigestKeyFile(join(dataDir, 'digest.key')).read());
    const { ticket } = await aTicket(world, client, { site_id: this.siteId } as never);
    const payload = {
      v: 1,
      ticket,
      csr: await keys.certificateRequest(),
      digest_key: digestKey,
      hardware_id: openHardwareId(dataDir, world.now, randomBytes),
      product_id: 'virtual',
      revision_id: '1',
      name: 'Front',
      gadgets,
    };
    const answer = await world.bridge.app.inject({ method: 'POST', url: '/claim/v1/redeem', payload });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const claimed = redeemed.parse(answer.json());
    new MembershipFile(dataDir).write(
      membershipOf(claimed, {
        bridge_url: world.bridge.services.publicUrl,
        ca_fingerprint: null,
        digest_key_id: digestKey.id,
      }),
    );
    const { data } = await client.done('GET', `/gadgets?device_id=${claimed.device_id}&sort=created_at:asc`);
    const made = new FirmwareDoor(
      this,
      dataDir,
      claimed.device_id,
      data.map(({ id }) => id),
    );
    this.#doors.push(made);
    return made;
  }

  /** A group that may do everything with these gadgets. */
  async group(...gadgetIds: readonly string[]): Promise<string> {
    const permissions = gadgetIds.map(gadget_id => ({ gadget_id }));
    const { id } = await this.client.done('POST', '/member_groups', { name: 'Guests', permissions });
    return id;
  }

  async member(groupId: string, credentials: { readonly pin?: string; readonly uid?: string }): Promise<string> {
    const { id } = await this.client.done('POST', '/members', { name: 'Ann' });
    await this.client.done('POST', `/members/${id}/group_associations`, { member_group_id: groupId });
    if (credentials.pin !== undefined) await this.client.done('POST', `/members/${id}/pins`, { pin: credentials.pin });
    if (credentials.uid !== undefined) await this.client.done('POST', `/members/${id}/cards`, { uid: credentials.uid });
    return id;
  }

  /** What the log has of these. */
  async events(filter: string, order = 'created_at'): Promise<readonly Body[]> {
    const all: Body[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.client.done('GET', `/events?${filter}&sort=${order}:asc&limit=100${cursor}`);
      all.push(...page.data);
      if (!page.has_next) return all;
      cursor = `&cursor=${encodeURIComponent(page.cursor_next)}`;
    }
  }

  async revision(world: BridgeWorld = this.world): Promise<number> {
    const { revision } = await world.bridge.services.storage.reader
      .selectFrom('organizations')
      .select('revision')
      .where('id', '=', this.client.organizationId)
      .executeTakeFirstOrThrow();
    return revision;
  }

  async until(isTrue: () => boolean | Promise<boolean>, what: () => string, withinMs = LATEST_MS): Promise<void> {
    const end = performance.now() + withinMs;
    while (!(await isTrue())) {
      if (performance.now() > end) throw new Error(`did not come: ${what()}`);
      await new Promise(resolve => {
        setTimeout(resolve, POLL_MS);
      });
    }
  }

  async close(): Promise<void> {
    for (const made of this.#doors) {
      await made.stop();
      rmSync(made.dataDir, { recursive: true, force: true });
    }
  }
}
