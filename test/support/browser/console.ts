import { instant } from '@lintel/access-core/instant';
import { insertOrganization } from '@lintel/cloud-bridge/testing';
import type { Role } from '@lintel/wire-protocol/admin/role';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished, type TestOptions } from 'vitest';
import { type AdminClient, openAdminSession } from '../bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../bridge/site-fixtures.ts';
import { TestBridge, type TestBridgeOptions, type TestOrganizationClient } from '../bridge/test-bridge.ts';
import { browserTest, desktop, HOOK_TIMEOUT, type PageOptions, phone, type TestBrowser } from './test-browser.ts';

export const germanPhone: BrowserContextOptions = { ...phone, locale: 'de-DE' };

/** A bridge that browsers can reach. */
export interface ListeningBridge {
  readonly bridge: TestBridge;
  readonly address: string;
}

const openListeningBridge = async (options: TestBridgeOptions): Promise<ListeningBridge> => {
  const bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true, ...options });
  // The clock of the browser is the real one.
  bridge.now = instant(Date.now());
  return { bridge, address: await bridge.listen('127.0.0.1', 0) };
};

/** A hotel with an owner called Olivia, and screens of the console that its users open. */
export class Hotel {
  readonly bridge: TestBridge;
  readonly address: string;
  readonly owner: AdminClient;
  /** Uses the public API. */
  readonly client: TestOrganizationClient;
  readonly siteId: Awaited<ReturnType<typeof createTestSite>>;
  readonly deviceId: string | null;
  readonly #browser: TestBrowser;
  readonly #doors: ReadonlyMap<string, string>;

  private constructor(
    browser: TestBrowser,
    { bridge, address }: ListeningBridge,
    parts: Pick<Hotel, 'owner' | 'client' | 'siteId' | 'deviceId'>,
    doors: ReadonlyMap<string, string>,
  ) {
    this.#browser = browser;
    this.bridge = bridge;
    this.address = address;
    this.owner = parts.owner;
    this.client = parts.client;
    this.siteId = parts.siteId;
    this.deviceId = parts.deviceId;
    this.#doors = doors;
  }

  /** A new organization of the bridge with these doors at one virtual controller. */
  static async create(browser: TestBrowser, listening: ListeningBridge, doors: readonly string[]): Promise<Hotel> {
    const { bridge } = listening;
    const { services } = bridge;
    const client = await bridge.newApplication(await insertOrganization(services, { name: 'Hotel Lintel' }));
    const siteId = await createTestSite(bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    const device =
      doors.length === 0
        ? null
        : await createTestDevice(bridge, client, {
            site_id: siteId,
            name: 'First floor',
            gadgets: doors.map(name => ({ ...door, name })),
          });
    const owner = await openAdminSession(bridge, client.organizationId, 'owner');
    await services.storage.writer.updateTable('users').set({ name: 'Olivia' }).where('id', '=', owner.userId).execute();
    const doorIds = new Map(doors.map((name, index) => [name, device!.gadgetIds[index]!]));
    return new Hotel(browser, listening, { owner, client, siteId, deviceId: device?.deviceId ?? null }, doorIds);
  }

  doorId(name: string): string {
    const id = this.#doors.get(name);
    if (id === undefined) throw new Error(`The hotel has no door ${name}`);
    return id;
  }

  /** A path of the organization. */
  pathOf(path: string): string {
    return `/organizations/${this.owner.organizationId}${path}`;
  }

  newUser(role: Role, siteIds: readonly string[] = []): Promise<AdminClient> {
    return openAdminSession(this.bridge, this.owner.organizationId, role, siteIds);
  }

  /** Opens a screen as a signed-in user. The path begins after the organization. */
  open(path: string, options: PageOptions = desktop, user = this.owner): Promise<Page> {
    return this.openRoot(`/organizations/${user.organizationId}${path}`, options, user);
  }

  async openRoot(path: string, options: PageOptions = desktop, user = this.owner): Promise<Page> {
    const session = { cookie: user.headers['cookie']!, url: this.address };
    const page = await this.#browser.open({ isReusable: true, ...options, onlyOrigin: this.address, session });
    await page.goto(`${this.address}${path}`);
    return page;
  }
}

/** Three members of a group that opens all doors: one who may open them now, one later and one before. */
export const addGuests = async ({ client }: Hotel): Promise<void> => {
  const group = await client.callOk('POST', '/member_groups', { name: 'Staff', permissions: [{}] });
  const members = [
    { name: 'Ann Example' },
    { name: 'Ben Early', starts_at: '2036-07-01T13:00:00Z', ends_at: '2036-07-05T09:00:00Z' },
    { name: 'Eva Past', starts_at: '2026-05-01T13:00:00Z', ends_at: '2026-05-05T09:00:00Z' },
  ];
  for (const member of members) {
    const { id } = await client.callOk('POST', '/members', member);
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
  }
};

/**
 * Tests of the console. The tests of a worker share a bridge and a Chromium. Each has an organization of its own.
 * A suite whose bridge needs other options overrides `bridgeOptions`: each of its tests then opens a bridge of its own.
 */
export const test = browserTest
  .extend('sharedBridge', { scope: 'worker' }, async ({}, { onCleanup }): Promise<ListeningBridge> => {
    const listening = await openListeningBridge({ webhookAllow: ['127.0.0.0/8'] });
    onCleanup(() => listening.bridge.close());
    return listening;
  })
  .extend('bridgeOptions', null as TestBridgeOptions | null)
  .extend('listening', async ({ sharedBridge, bridgeOptions }): Promise<ListeningBridge> => {
    if (bridgeOptions === null) return sharedBridge;
    const own = await openListeningBridge(bridgeOptions);
    // Not with the fixture: that ends before the pages of the test are closed.
    onTestFinished(() => own.bridge.close(), HOOK_TIMEOUT);
    return own;
  })
  .extend('doors', ['Front door', 'Room 101', 'Room 102', 'Garage'] as readonly string[])
  .extend('hotel', ({ browser, listening, doors }) => Hotel.create(browser, listening, doors));

/** A walk through screens, with the width and the language of the browser. */
export type Walk = (hotel: Hotel, options: BrowserContextOptions) => Promise<void>;

/** The same walk on a desktop and, as a slow test, on a phone in German. */
export const testWalk = (name: string, ...args: readonly [Walk] | readonly [TestOptions, Walk]): void => {
  const [options, walk] = args.length === 1 ? [{}, args[0]] : args;
  test(name, options, ({ hotel }) => walk(hotel, desktop));
  test(`${name}, on a phone in German`, { tags: ['slow'] }, ({ hotel }) => walk(hotel, germanPhone));
};
