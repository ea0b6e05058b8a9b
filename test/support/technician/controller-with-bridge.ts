import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { vi } from 'vitest';
import { type AdminClient, openAdminSession } from '../bridge/admin-client.ts';
import { createTestSite } from '../bridge/site-fixtures.ts';
import { type TestOrganizationClient, TestBridge } from '../bridge/test-bridge.ts';
import { issueTicket } from '../devices/controller-identity.ts';
import { FaultyTcpProxy } from '../faults/faulty-tcp-proxy.ts';
import { DeviceProcess } from '../processes/device-process.ts';
import { TechnicianApiClient } from './technician-api-client.ts';
import { technicianKey } from './technician-key.ts';
import { findFreePort } from '../find-free-port.ts';

const HOST = '127.0.0.1';

const readSetupCode = (dataDir: string): string => readFileSync(join(dataDir, 'technician/setup-code'), 'utf8').trim();

/** A controller in its own process, and the in-process bridge that it can be claimed at. */
export class ControllerWithBridge {
  readonly bridge: TestBridge;
  readonly client: TestOrganizationClient;
  readonly siteId: SiteId;
  /** Logged in at the bridge with the role of a technician. */
  readonly technician: AdminClient;
  readonly #bridgePort: number;
  readonly #technicianPort: number;
  #dataDir: string;
  #device: DeviceProcess | null = null;
  #link: FaultyTcpProxy | null = null;
  readonly #others: { readonly device: DeviceProcess; readonly dataDir: string }[] = [];

  private constructor(
    bridge: TestBridge,
    client: TestOrganizationClient,
    siteId: SiteId,
    technician: AdminClient,
    ports: { readonly bridge: number; readonly technician: number },
  ) {
    this.bridge = bridge;
    this.client = client;
    this.siteId = siteId;
    this.technician = technician;
    this.#bridgePort = ports.bridge;
    this.#technicianPort = ports.technician;
    this.#dataDir = mkdtempSync(join(tmpdir(), 'lintel-controller-'));
  }

  /** The bridge does not listen yet, and the controller is not started. */
  static async create(): Promise<ControllerWithBridge> {
    const ports = { bridge: await findFreePort(), technician: await findFreePort() };
    const bridge = await TestBridge.open({
      publicUrl: `http://${HOST}:${ports.bridge}`,
      clock: () => instant(Date.now()),
    });
    bridge.now = instant(Date.now());
    const client = await bridge.newOrganization();
    const siteId = await createTestSite(bridge, client);
    const technician = await openAdminSession(bridge, client.organizationId, 'technician', [siteId]);
    return new ControllerWithBridge(bridge, client, siteId, technician, ports);
  }

  /** A running controller that is claimed as "Back door", with the door, light and blind of its profile. */
  static async createClaimed(): Promise<ControllerWithBridge> {
    const controller = await ControllerWithBridge.create();
    await controller.connectBridge();
    await controller.start();
    const client = new TechnicianApiClient(controller.url);
    await client.login({ code: controller.setupCode });
    await client.call('POST', '/claim', { body: { ticket: await controller.ticket(), name: 'Back door' } });
    await controller.waitUntil('the claimed controller has gadgets', async () => {
      const { body } = await client.call('GET', '/input_rules');
      return (body['destinations'] as unknown as readonly unknown[]).length > 0;
    });
    await controller.waitUntil('the bridge knows the address of the technician page', async () => {
      const { data } = await controller.technician.callOk('GET', '/technician_devices');
      return data[0]?.['local_address'] === controller.url;
    });
    return controller;
  }

  /** A second running controller of the site. It ends with `close`. */
  async claimSecond(name: string): Promise<{ readonly deviceId: string }> {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-controller-'));
    const device = await DeviceProcess.start(dataDir, '--technician-port', '0');
    this.#others.push({ device, dataDir });
    const client = new TechnicianApiClient(String(device.ready['technician']));
    await client.login({ code: readSetupCode(dataDir) });
    await client.call('POST', '/claim', { body: { ticket: await this.ticket(), name } });
    await this.waitUntil('the second controller is claimed', async () => {
      const { body } = await client.call('GET', '/input_rules');
      return (body['destinations'] as unknown as readonly unknown[]).length > 0;
    });
    const { data } = await this.client.callOk('GET', '/devices');
    return { deviceId: data.find(entry => entry['name'] === name)!.id };
  }

  /** From here on the bridge listens. */
  async connectBridge(): Promise<void> {
    const { devices } = this.bridge;
    this.#link = await FaultyTcpProxy.to(`mqtt://${HOST}:${await devices.broker!.listen(HOST, 0)}`);
    devices.brokerAddresses = { mqtts: null, mqtt: this.#link.url };
    await this.bridge.listen(HOST, this.#bridgePort);
  }

  /** The network connection from the controller to the bridge. */
  get link(): FaultyTcpProxy {
    if (this.#link === null) throw new Error('The bridge is not connected');
    return this.#link;
  }

  async waitUntil(condition: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
    try {
      await vi.waitUntil(isTrue, { timeout: 60_000, interval: 20 });
    } catch (cause) {
      throw new Error(`Never happened: ${condition}. Log of the controller: ${this.#device?.log() ?? ''}`, { cause });
    }
  }

  /** A technician without a browser, logged in with a pass. */
  async loginWithPass(): Promise<TechnicianApiClient> {
    const client = new TechnicianApiClient(this.url);
    await client.login({ pass: await this.pass() });
    return client;
  }

  async deviceId(): Promise<string> {
    const { data } = await this.client.callOk('GET', '/devices');
    return data[0]!.id;
  }

  async gadgetId(name: string): Promise<string> {
    const { data } = await this.client.callOk('GET', '/gadgets');
    return data.find(gadget => gadget['name'] === name)!.id;
  }

  get bridgeUrl(): string {
    return `http://${HOST}:${this.#bridgePort}`;
  }

  /** Every start is at the same address. */
  async start(): Promise<DeviceProcess> {
    this.#device = await DeviceProcess.start(this.#dataDir, '--technician-port', String(this.#technicianPort));
    return this.#device;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#device?.stop(signal);
    this.#device = null;
  }

  /** The next start is a new controller without any data, at the same address. */
  async replaceHardware(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.#dataDir, { recursive: true, force: true });
    this.#dataDir = mkdtempSync(join(tmpdir(), 'lintel-controller-'));
  }

  get device(): DeviceProcess {
    if (this.#device === null) throw new Error('The controller is not running');
    return this.#device;
  }

  get url(): string {
    return String(this.device.ready['technician']);
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  get setupCode(): string {
    return readSetupCode(this.#dataDir);
  }

  async ticket(place: { readonly device_id?: string } = {}): Promise<string> {
    return (await issueTicket(this.bridge, this.client, { site_id: this.siteId, ...place })).ticket;
  }

  /** For the key of the technicians without a browser. */
  async pass(): Promise<string> {
    const request = { site_id: this.siteId, public_key: technicianKey.publicKey };
    return String((await this.technician.callOk('POST', '/technician_passes', request))['pass']);
  }

  async close(): Promise<void> {
    await this.stop('SIGKILL');
    for (const { device, dataDir } of this.#others) {
      await device.stop('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    }
    this.#link?.close();
    await this.bridge.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
