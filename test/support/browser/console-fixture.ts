import { instant } from '@lintel/access-core/instant';
import { afterAll, beforeAll } from 'vitest';
import { type AdminClient, openAdminSession } from '../bridge/admin-client.ts';
import { createTestDevice, createTestSite, door } from '../bridge/site-fixtures.ts';
import { TestBridge, type TestBridgeOptions } from '../bridge/test-bridge.ts';
import { consoleOpener } from './console-opener-and-docs-screenshots.ts';
import { HOOK_TIMEOUT, useBrowser } from './test-browser.ts';

/** A hotel with an owner called Olivia, in a bridge that listens, and a browser. */
export class ConsoleFixture {
  readonly #browser = useBrowser();
  bridge!: TestBridge;
  address = '';
  owner!: AdminClient;

  async start(options: TestBridgeOptions): Promise<void> {
    this.bridge = await TestBridge.open({ publicUrl: undefined, isTicking: true, ...options });
    // The clock of the browser is the real one.
    this.bridge.now = instant(Date.now());
    this.address = await this.bridge.listen('127.0.0.1', 0);
    const client = await this.bridge.newOrganization();
    const site_id = await createTestSite(this.bridge, client, { name: 'Hotel Lintel', timezone: 'Europe/Madrid' });
    await createTestDevice(this.bridge, client, {
      site_id,
      name: 'First floor',
      gadgets: ['Front door', 'Room 101', 'Garage'].map(name => ({ ...door, name })),
    });
    this.owner = await openAdminSession(this.bridge, client.organizationId, 'owner');
    await this.owner.callOk('PATCH', '', { name: 'Hotel Lintel' });
    await this.bridge.services.storage.writer
      .updateTable('users')
      .set({ name: 'Olivia' })
      .where('id', '=', this.owner.userId)
      .execute();
  }

  pathOf(path: string): string {
    return `/organizations/${this.owner.organizationId}${path}`;
  }

  readonly open = consoleOpener(
    this.#browser,
    () => this.address,
    () => this.owner,
  );
}

/** For the tests of the surrounding `describe`. */
export const useConsole = (options: TestBridgeOptions = {}): ConsoleFixture => {
  const fixture = new ConsoleFixture();
  beforeAll(() => fixture.start(options), HOOK_TIMEOUT);
  afterAll(() => fixture.bridge.close(), HOOK_TIMEOUT);
  return fixture;
};
