import { instant } from '@lintel/access-core/instant';
import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { BridgeWorld } from '../bridge/bridge-world.ts';
import { FirmwareHotel, type FirmwareDoor } from './firmware-hotel.ts';
import { GatewayProcess } from '../processes/gateway-process.ts';
import { administer, door } from '../bridge/place.ts';
import { FaultLine } from '../faults/fault-line.ts';
import { claimGateway, forgetGateway } from './site-gateway.ts';

/** Controllers with the real firmware behind a gateway that is a process of its own, and a line that can be cut. */
export class FirmwareSite {
  readonly world: BridgeWorld;
  readonly hotel: FirmwareHotel;
  readonly line: FaultLine;
  readonly gateway: GatewayProcess;
  readonly #dataDir: string;

  private constructor(
    world: BridgeWorld,
    hotel: FirmwareHotel,
    line: FaultLine,
    gateway: GatewayProcess,
    dataDir: string,
  ) {
    this.world = world;
    this.hotel = hotel;
    this.line = line;
    this.gateway = gateway;
    this.#dataDir = dataDir;
  }

  static async open(): Promise<FirmwareSite> {
    const world = await BridgeWorld.open({ clock: () => instant(Date.now()) });
    world.now = instant(Date.now());
    const hotel = await FirmwareHotel.open(world);
    const line = await FaultLine.to(hotel.url);
    const dataDir = await claimGateway(world, hotel.client, hotel.siteId);
    const gateway = await GatewayProcess.start(dataDir, { upstream: line.url });
    return new FirmwareSite(world, hotel, line, gateway, dataDir);
  }

  /** Claimed, and known to the gateway; not started yet. */
  async door(gadgets: readonly GadgetCreate[] = [door]): Promise<FirmwareDoor> {
    const made = await this.hotel.door(gadgets);
    const isKnown = async (): Promise<boolean> =>
      (await this.gateway.status()).controllers.some(({ device_id }) => device_id === made.deviceId);
    await this.hotel.until(isKnown, () => `a gateway that knows ${made.deviceId}; ${this.gateway.log()}`);
    return made;
  }

  /** A code at the reader leads to the owner's door. */
  async rule(reader: FirmwareDoor, code: string, gadget_id: string): Promise<void> {
    const input_rules = [{ code, gadget_id, action_id: 'open' }] as never;
    await administer(this.world, this.hotel.client, context => editDevice(context, reader.deviceId, { input_rules }));
  }

  /** Through the gateway, and serving what the bridge has for them. */
  async start(...doors: readonly FirmwareDoor[]): Promise<void> {
    for (const one of doors) one.start(this.gateway.ready.mqtt);
    await this.caughtUp(...doors);
  }

  async caughtUp(...doors: readonly FirmwareDoor[]): Promise<void> {
    for (const one of doors) await one.caughtUp();
  }

  async cut(): Promise<void> {
    this.line.cut();
    await this.#untilConnected(false);
  }

  async restore(): Promise<void> {
    this.line.restore();
    await this.#untilConnected(true);
  }

  #untilConnected(isConnected: boolean): Promise<void> {
    return this.hotel.until(
      async () => (await this.gateway.status()).upstream.connected === isConnected,
      () => `the line ${isConnected ? 'back' : 'cut'}; ${this.gateway.log()}`,
      30_000,
    );
  }

  async close(): Promise<void> {
    await this.hotel.close();
    await this.gateway.stop();
    this.line.close();
    await this.world.close();
    forgetGateway(this.#dataDir);
  }
}
