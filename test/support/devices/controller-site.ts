import type { RedeemClaimRequest } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import type { SnapshotEntryOf } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import type { TestBridge, TestOrganizationClient } from '../bridge/test-bridge.ts';
import { createTestSite, door } from '../bridge/site-fixtures.ts';
import { TestController } from './test-controller.ts';

/** A site with a claimed protocol-level controller, its door, and a group with permission to open it. */
export class ControllerSite {
  readonly bridge: TestBridge;
  readonly client: TestOrganizationClient;
  readonly siteId: string;
  readonly controller: TestController;
  readonly gadgetId: string;
  readonly groupId: string;
  readonly bridgeUrl: string;

  protected constructor(
    parts: Pick<ControllerSite, 'bridge' | 'client' | 'siteId' | 'controller' | 'gadgetId' | 'groupId' | 'bridgeUrl'>,
  ) {
    this.bridge = parts.bridge;
    this.client = parts.client;
    this.siteId = parts.siteId;
    this.controller = parts.controller;
    this.gadgetId = parts.gadgetId;
    this.groupId = parts.groupId;
    this.bridgeUrl = parts.bridgeUrl;
  }

  /** The broker that the controllers of the site connect to. */
  get url(): string {
    return this.bridgeUrl;
  }

  static async open(bridge: TestBridge): Promise<ControllerSite> {
    const client = await bridge.newOrganization();
    const siteId = await createTestSite(bridge, client);
    const controller = await claimController(bridge, client, siteId);
    const { data } = await client.callOk('GET', `/gadgets?device_id=${controller.deviceId}`);
    const gadgetId = data[0]!.id;
    const { id: groupId } = await client.callOk('POST', '/member_groups', {
      name: 'Guests',
      permissions: [{ gadget_id: gadgetId, action_id: 'open' }],
    });
    const port = await bridge.devices.broker!.listen('127.0.0.1', 0);
    const bridgeUrl = `mqtt://127.0.0.1:${port}`;
    return new ControllerSite({ bridge, client, siteId, controller, gadgetId, groupId, bridgeUrl });
  }

  /** The controller is connected and has its snapshot. */
  static async openConnected(bridge: TestBridge): Promise<ControllerSite> {
    const site = await ControllerSite.open(bridge);
    await site.controller.start(site.url);
    return site;
  }

  async createMember(groupIds: readonly string[] = [this.groupId], pin?: string): Promise<string> {
    const { id } = await this.client.callOk('POST', '/members', { name: 'Ann' });
    for (const member_group_id of groupIds) {
      await this.client.callOk('POST', `/members/${id}/group_associations`, { member_group_id });
    }
    if (pin !== undefined) await this.client.callOk('POST', `/members/${id}/pins`, { pin });
    return id;
  }

  cachedMember(memberId: string, controller = this.controller): SnapshotEntryOf<'member'> | undefined {
    return controller.entries.get(`member ${memberId}`) as SnapshotEntryOf<'member'> | undefined;
  }

  async waitUntilMemberCached(memberId: string): Promise<SnapshotEntryOf<'member'>> {
    await this.controller.waitUntil(
      () => this.cachedMember(memberId) !== undefined,
      `member ${memberId} in the snapshot`,
    );
    return this.cachedMember(memberId)!;
  }

  async isOnline(deviceId: string = this.controller.deviceId): Promise<boolean> {
    const { status } = await this.client.callOk('GET', `/devices/${deviceId}`);
    return (status as { online: boolean }).online;
  }

  async revision(): Promise<number> {
    const { revision } = await this.bridge.services.storage.reader
      .selectFrom('organizations')
      .select('revision')
      .where('id', '=', this.client.organizationId)
      .executeTakeFirstOrThrow();
    return revision;
  }
}

export const claimController = (
  bridge: TestBridge,
  client: TestOrganizationClient,
  site_id: string,
  given: Partial<RedeemClaimRequest> = {},
): Promise<TestController> =>
  TestController.claim(bridge, client, { site_id }, { name: 'Front', gadgets: [door], ...given });
