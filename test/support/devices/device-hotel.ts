import type { Redemption } from '@lintel/wire-protocol/claiming/redemption';
import type { SliceEntryOf } from '@lintel/wire-protocol/mqtt/slice-entry';
import type { BridgeWorld, OrganizationClient } from '../bridge/bridge-world.ts';
import { aSite, door } from '../bridge/place.ts';
import { TestController } from './test-controller.ts';

/** A site with a claimed controller, its door, and a group that may open it. */
export class DeviceHotel {
  readonly world: BridgeWorld;
  readonly client: OrganizationClient;
  readonly siteId: string;
  readonly controller: TestController;
  readonly gadgetId: string;
  readonly groupId: string;
  readonly url: string;

  private constructor(
    parts: Pick<DeviceHotel, 'world' | 'client' | 'siteId' | 'controller' | 'gadgetId' | 'groupId' | 'url'>,
  ) {
    this.world = parts.world;
    this.client = parts.client;
    this.siteId = parts.siteId;
    this.controller = parts.controller;
    this.gadgetId = parts.gadgetId;
    this.groupId = parts.groupId;
    this.url = parts.url;
  }

  static async open(world: BridgeWorld): Promise<DeviceHotel> {
    const client = await world.newOrganization();
    const siteId = await aSite(world, client);
    const controller = await aController(world, client, siteId);
    const { data } = await client.done('GET', `/gadgets?device_id=${controller.deviceId}`);
    const gadgetId = data[0]!.id;
    const { id: groupId } = await client.done('POST', '/member_groups', {
      name: 'Guests',
      permissions: [{ gadget_id: gadgetId, action_id: 'open' }],
    });
    const port = await world.bridge.devices.broker!.listen('127.0.0.1', 0);
    return new DeviceHotel({ world, client, siteId, controller, gadgetId, groupId, url: `mqtt://127.0.0.1:${port}` });
  }

  /** With a controller that is connected and serves its slice. */
  static async running(world: BridgeWorld): Promise<DeviceHotel> {
    const hotel = await DeviceHotel.open(world);
    await hotel.controller.start(hotel.url);
    return hotel;
  }

  async member(groupIds: readonly string[] = [this.groupId], pin?: string): Promise<string> {
    const { id } = await this.client.done('POST', '/members', { name: 'Ann' });
    for (const member_group_id of groupIds) {
      await this.client.done('POST', `/members/${id}/group_associations`, { member_group_id });
    }
    if (pin !== undefined) await this.client.done('POST', `/members/${id}/pins`, { pin });
    return id;
  }

  held(memberId: string, controller = this.controller): SliceEntryOf<'member'> | undefined {
    return controller.entries.get(`member ${memberId}`) as SliceEntryOf<'member'> | undefined;
  }

  async untilHeld(memberId: string): Promise<SliceEntryOf<'member'>> {
    await this.controller.until(() => this.held(memberId) !== undefined, `the member ${memberId}`);
    return this.held(memberId)!;
  }

  async revision(): Promise<number> {
    const { revision } = await this.world.bridge.services.storage.reader
      .selectFrom('organizations')
      .select('revision')
      .where('id', '=', this.client.organizationId)
      .executeTakeFirstOrThrow();
    return revision;
  }
}

export const aController = (
  world: BridgeWorld,
  client: OrganizationClient,
  site_id: string,
  given: Partial<Redemption> = {},
): Promise<TestController> =>
  TestController.claim(world, client, { site_id }, { name: 'Front', gadgets: [door], ...given });
