import { type RunningTechnician, startTechnician } from '@lintel/device-runtime/technician/start';
import { technicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { type AdminClient, signedIn } from '../bridge/administration.ts';
import { BridgeWorld } from '../bridge/bridge-world.ts';
import { type FirmwareDoor, FirmwareHotel } from '../devices/firmware-hotel.ts';
import { TechnicianClient } from './technician-client.ts';

export const NO_LINE = 'mqtt://127.0.0.1:1';

/** A claimed door of the real firmware, its bridge, and Tina with a pass of the bridge in front of it. */
export class TechnicianAtDoor {
  readonly hotel: FirmwareHotel;
  readonly door: FirmwareDoor;
  readonly tina: AdminClient;
  readonly pass: string;
  #page: RunningTechnician | null = null;
  #client: TechnicianClient | null = null;

  private constructor(hotel: FirmwareHotel, door: FirmwareDoor, tina: AdminClient, pass: string) {
    this.hotel = hotel;
    this.door = door;
    this.tina = tina;
    this.pass = pass;
  }

  static async arrange(): Promise<TechnicianAtDoor> {
    const world = await BridgeWorld.open();
    const hotel = await FirmwareHotel.open(world);
    const door = await hotel.door();
    const tina = await signedIn(world, hotel.client.organizationId, 'technician', [hotel.siteId]);
    const { pass } = await tina.done('POST', '/technician_passes', { site_id: hotel.siteId });
    return new TechnicianAtDoor(hotel, door, tina, String(pass));
  }

  /** The firmware anew, with or without a line, and Tina logged in. */
  async visit(url: string = this.hotel.url): Promise<TechnicianClient> {
    await this.leave();
    const { door } = this;
    const parts = { dataDir: door.dataDir, device: door.start(url), productId: 'virtual', log: () => undefined };
    this.#page = await startTechnician({ ...parts, host: '127.0.0.1', port: 0, console: () => undefined });
    this.#client = new TechnicianClient(this.#page.url);
    const { status } = await this.#client.login({ pass: this.pass });
    if (status !== 200) throw new Error(`the pass was answered with ${status}`);
    return this.#client;
  }

  async rulesHere() {
    return technicianRules.parse((await this.#client!.ask('GET', '/input_rules')).body);
  }

  async rulesAtDesk(deviceId: string = this.door.deviceId) {
    return (await this.hotel.client.done('GET', `/devices/${deviceId}`))['input_rules'];
  }

  /** What the log has of these that Tina did. */
  async ownEvents(filter: string) {
    const events = await this.hotel.events(filter);
    return events.filter(({ subject }) => (subject as { user_id?: unknown } | null)?.user_id === this.tina.userId);
  }

  async leave(): Promise<void> {
    await this.#page?.stop();
    this.#page = null;
    await this.door.stop();
  }

  async close(): Promise<void> {
    await this.leave();
    await this.hotel.close();
    await this.hotel.world.close();
  }
}
