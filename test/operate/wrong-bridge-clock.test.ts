import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import { checkPostponedDeletions, insertMembers, runAutoDeletion, runRetention } from '@lintel/cloud-bridge/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge, type TestDatabaseEngine, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';

const GUESTS = 30;
const RETENTION = { events: 30, deliveries: 30 };

/** A bridge whose clock a test sets without time passing. */
class BridgeWithWrongClock {
  readonly engine: TestDatabaseEngine;
  bridge: TestBridge;
  #monotonic: { now: number };

  private constructor(engine: TestDatabaseEngine, bridge: TestBridge, monotonic: { now: number }) {
    this.engine = engine;
    this.bridge = bridge;
    this.#monotonic = monotonic;
  }

  static async open(engine: TestDatabaseEngine): Promise<BridgeWithWrongClock> {
    const monotonic = { now: 0 };
    const bridge = await TestBridge.open({ engine, retention: RETENTION, monotonic: () => monotonic.now });
    return new BridgeWithWrongClock(engine, bridge, monotonic);
  }

  get services() {
    return this.bridge.services;
  }

  pass(ms: number): void {
    this.#monotonic.now += ms;
    this.jump(ms);
  }

  jump(ms: number): void {
    this.bridge.now = instant(this.bridge.now + ms);
  }

  /** Starts the bridge again on a copy of its data, with another time. */
  async restart(ms: number): Promise<void> {
    await checkPostponedDeletions(this.services);
    const at = instant(this.bridge.now + ms);
    const { database } = this.bridge;
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-clock-'));
    const before = this.bridge;
    await before.bridge.close();
    cpSync(before.dataDir, dataDir, { recursive: true });
    rmSync(before.dataDir, { recursive: true });
    this.#monotonic = { now: 0 };
    let isOpen = false;
    this.bridge = await TestBridge.open({
      dataDir,
      ...(database === undefined ? {} : { database }),
      retention: RETENTION,
      clock: () => (isOpen ? this.bridge.now : at),
      monotonic: () => this.#monotonic.now,
    });
    this.bridge.now = at;
    isOpen = true;
  }

  async run(): Promise<number> {
    const deleted = await runAutoDeletion(this.services);
    const { removed } = await runRetention(this.services);
    await checkPostponedDeletions(this.services);
    return deleted + removed.reduce((sum, { rows }) => sum + rows, 0);
  }

  async close(): Promise<void> {
    await this.bridge.close();
  }
}

const openHotel = async (engine: TestDatabaseEngine, endsInDays: number) => {
  const clock = await BridgeWithWrongClock.open(engine);
  onTestFinished(() => clock.close());
  const client = await clock.bridge.newOrganization();
  const { organizationId } = client;
  await client.callOk('POST', '/members', { name: 'Employee' });
  await insertMembers(clock.services, organizationId, {
    count: GUESTS,
    endsAt: clock.bridge.now + endsInDays * DAY_MS,
  });
  return { clock, client, organizationId };
};

const countEvents = async ({ services }: BridgeWithWrongClock): Promise<number> => {
  const { count } = await services.storage.reader
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

const findIncident = async (
  clock: BridgeWithWrongClock,
  { organizationId }: Pick<TestOrganizationClient, 'organizationId'>,
) => {
  const owner = await openAdminSession(clock.bridge, organizationId, 'owner');
  const { data } = await owner.callOk('GET', '/incidents');
  const [incident] = data.filter(({ kind, acknowledged_at }) => kind === 'clock_ahead' && acknowledged_at === null);
  return { owner, incident };
};

describe.each(['sqlite', 'postgres'] as const)('wrong clock of the bridge (%s)', engine => {
  it('deletes nobody while it is days ahead for seconds', async () => {
    const { clock, client } = await openHotel(engine, 3);
    clock.pass(HOUR_MS / 2);
    expect(await clock.run()).toBe(0);
    clock.jump(4 * DAY_MS);
    clock.pass(13_000);
    expect(await clock.run()).toBe(0);
    const { incident } = await findIncident(clock, client);
    expect(incident).toMatchObject({
      clock: {
        time: new Date(clock.bridge.now).toISOString(),
        expected_time: new Date(clock.bridge.now - 4 * DAY_MS).toISOString(),
      },
    });
    clock.jump(-4 * DAY_MS);
    expect(await clock.run()).toBe(0);
    expect((await findIncident(clock, client)).incident).toBeUndefined();
    clock.pass(4 * DAY_MS);
    expect(await clock.run()).toBe(GUESTS);
  });

  it('deletes nobody and no events while it is 40 days ahead, also by a start of the bridge', async () => {
    const { clock, client } = await openHotel(engine, 3);
    const events = await countEvents(clock);
    await clock.restart(40 * DAY_MS);
    expect(await clock.run()).toBe(0);
    expect(await countEvents(clock)).toBe(events + 1);
    expect((await findIncident(clock, client)).incident).toBeDefined();
    await clock.restart(-40 * DAY_MS);
    expect(await clock.run()).toBe(0);
    expect((await findIncident(clock, client)).incident).toBeUndefined();
  });

  it('continues after a long stop when an administrator confirms the time, without what ends later', async () => {
    const { clock, client } = await openHotel(engine, 3);
    await clock.restart(5 * DAY_MS);
    expect(await clock.run()).toBe(0);
    const { owner, incident } = await findIncident(clock, client);
    const path = `/incidents/${incident!.id}/confirm_clock`;
    const wrong = await owner.call('POST', path, { time: new Date(clock.bridge.now - 5 * DAY_MS).toISOString() });
    expect(wrong.status).toBe(400);
    expect(await clock.run()).toBe(0);
    await owner.callOk('POST', path, { time: new Date(clock.bridge.now).toISOString() });
    expect(await clock.run()).toBe(GUESTS);
    expect((await findIncident(clock, client)).incident).toBeUndefined();
  });

  it('is confirmed for one organization only, and for the next start', async () => {
    const { clock, client, organizationId } = await openHotel(engine, 3);
    const other = await clock.bridge.newOrganization();
    const endsAt = clock.bridge.now + 3 * DAY_MS;
    await insertMembers(clock.services, other.organizationId, { count: 2, endsAt });
    await clock.restart(5 * DAY_MS);
    await clock.run();
    const { owner, incident } = await findIncident(clock, client);
    await owner.callOk('POST', `/incidents/${incident!.id}/confirm_clock`, {
      time: new Date(clock.bridge.now).toISOString(),
    });
    expect(await clock.run()).toBe(GUESTS);
    await insertMembers(clock.services, organizationId, { count: 3, endsAt });
    await clock.restart(60_000);
    expect(await clock.run()).toBe(3);
    expect((await findIncident(clock, other)).incident).toBeDefined();
    clock.jump(40 * DAY_MS);
    await insertMembers(clock.services, organizationId, { count: 4, endsAt: clock.bridge.now - 20 * DAY_MS });
    expect(await clock.run()).toBe(0);
    expect((await findIncident(clock, client)).incident).toBeDefined();
  });

  it('asks nobody after a long stop if nothing ended meanwhile', async () => {
    const { clock, client } = await openHotel(engine, 20);
    await clock.restart(5 * DAY_MS);
    expect(await clock.run()).toBe(0);
    expect((await findIncident(clock, client)).incident).toBeUndefined();
  });
});
