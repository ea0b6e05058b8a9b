import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { type AdminClient, signedIn } from '../bridge/administration.ts';
import { BridgeWorld, type OrganizationClient } from '../bridge/bridge-world.ts';
import { aTicket } from '../devices/controller-identity.ts';
import { DeviceProcess } from '../processes/device-process.ts';
import { FaultLine } from '../faults/fault-line.ts';
import { aSite } from '../bridge/place.ts';
import { TechnicianClient } from './technician-client.ts';

const HOST = '127.0.0.1';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

/** A controller as a process of its own, and the bridge of the house that it is meant for, which may not be there yet. */
export class VisitedController {
  readonly world: BridgeWorld;
  readonly client: OrganizationClient;
  readonly siteId: SiteId;
  readonly tina: AdminClient;
  readonly #port: number;
  #dataDir: string;
  #technicianPort = '0';
  #device: DeviceProcess | null = null;
  #line: FaultLine | null = null;

  private constructor(world: BridgeWorld, client: OrganizationClient, siteId: SiteId, tina: AdminClient, port: number) {
    this.world = world;
    this.client = client;
    this.siteId = siteId;
    this.tina = tina;
    this.#port = port;
    this.#dataDir = mkdtempSync(join(tmpdir(), 'lintel-visit-'));
  }

  /** Nothing is listening yet: neither the bridge nor the controller. */
  static async arrange(): Promise<VisitedController> {
    const port = await freePort();
    const world = await BridgeWorld.open({ publicUrl: `http://${HOST}:${port}`, clock: () => instant(Date.now()) });
    world.now = instant(Date.now());
    const client = await world.newOrganization();
    const siteId = await aSite(world, client);
    const tina = await signedIn(world, client.organizationId, 'technician', [siteId]);
    return new VisitedController(world, client, siteId, tina, port);
  }

  /** The line comes. */
  async connectBridge(): Promise<void> {
    const { devices } = this.world.bridge;
    this.#line = await FaultLine.to(`mqtt://${HOST}:${await devices.broker!.listen(HOST, 0)}`);
    devices.addresses = { mqtts: null, mqtt: this.#line.url };
    await this.world.bridge.listen(HOST, this.#port);
  }

  get line(): FaultLine {
    if (this.#line === null) throw new Error('there is no line yet');
    return this.#line;
  }

  /** Claimed by somebody else before, with the door, the light and the blind of its profile. */
  static async claimed(): Promise<VisitedController> {
    const house = await VisitedController.arrange();
    await house.connectBridge();
    await house.start();
    const phone = new TechnicianClient(house.url);
    await phone.login({ code: house.setupCode });
    await phone.ask('POST', '/claim', { body: { ticket: await house.ticket(), name: 'Back door' } });
    await house.until(async () => {
      const { body } = await phone.ask('GET', '/input_rules');
      return (body['destinations'] as unknown as readonly unknown[]).length > 0;
    }, 'the gadgets of the claimed controller');
    return house;
  }

  async until(isTrue: () => boolean | Promise<boolean>, what: string, withinMs = 15_000): Promise<void> {
    const end = performance.now() + withinMs;
    while (!(await isTrue())) {
      if (performance.now() > end) throw new Error(`did not come: ${what}; ${this.#device?.log() ?? ''}`);
      await new Promise(resolve => {
        setTimeout(resolve, 20);
      });
    }
  }

  /** Somebody else's phone, or a terminal. */
  async phone(): Promise<TechnicianClient> {
    const phone = new TechnicianClient(this.url);
    await phone.login({ pass: await this.pass() });
    return phone;
  }

  async deviceId(): Promise<string> {
    const { data } = await this.client.done('GET', '/devices');
    return data[0]!.id;
  }

  async gadgetId(name: string): Promise<string> {
    const { data } = await this.client.done('GET', '/gadgets');
    return data.find(gadget => gadget['name'] === name)!.id;
  }

  get bridgeUrl(): string {
    return `http://${HOST}:${this.#port}`;
  }

  /** Again at the same address, as a controller that was restarted. */
  async start(): Promise<DeviceProcess> {
    this.#device = await DeviceProcess.start(this.#dataDir, '--technician-port', this.#technicianPort);
    this.#technicianPort = new URL(this.url).port;
    return this.#device;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#device?.stop(signal);
    this.#device = null;
  }

  /** The hardware is dead. What is started next is another, out of its box, at the same place. */
  async breakDown(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.#dataDir, { recursive: true, force: true });
    this.#dataDir = mkdtempSync(join(tmpdir(), 'lintel-visit-'));
  }

  get device(): DeviceProcess {
    if (this.#device === null) throw new Error('the controller is not running');
    return this.#device;
  }

  get url(): string {
    return String(this.device.ready['technician']);
  }

  get setupCode(): string {
    return readFileSync(join(this.#dataDir, 'technician/setup-code'), 'utf8').trim();
  }

  async ticket(place: { readonly device_id?: string } = {}): Promise<string> {
    return (await aTicket(this.world, this.client, { site_id: this.siteId, ...place })).ticket;
  }

  async pass(): Promise<string> {
    return String((await this.tina.done('POST', '/technician_passes', { site_id: this.siteId }))['pass']);
  }

  async close(): Promise<void> {
    await this.stop('SIGKILL');
    this.#line?.close();
    await this.world.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
