import { createRolloutRequestSchema } from '@lintel/wire-protocol/admin/rollout';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RolloutDeviceRow } from '../storage/release-and-rollout-schema.ts';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createRollout, changeRolloutState } from './create-or-change-rollout.ts';
import { RolloutCoordinator } from '../devices/rollout-coordinator.ts';

const test = useTestOrganization();
let site: string;
beforeEach(async () => {
  site = (await test.organization.site()).id;
});

const addRelease = async (program = 'controller'): Promise<string> => {
  const id = test.database.services.newId('release');
  await test.database.insert('releases', {
    id,
    organization_id: test.organization.id,
    program,
    version: '2.0.0',
    arch: 'arm64',
    size: 10,
    sha256: id,
    key_id: 'key',
    minimum_version: null,
    allow_downgrade: 0,
    made_at: 0,
    created_at: 0,
    is_deleted: 0,
  });
  return id;
};

/** Adds a claimed device. */
const addController = async ({
  product = 'multiple',
  isOnline = true,
  siteId = site,
}: {
  product?: string;
  isOnline?: boolean;
  siteId?: string;
} = {}): Promise<string> => {
  const hardwareId = test.database.services.newId('hardware');
  const { device } = await test.organization.device(siteId, { product, doors: [], hardwareId });
  await test.database.insert('device_links', {
    device_id: device.id,
    organization_id: test.organization.id,
    digest_key_id: 'key',
    sealed_digest_key: 'sealed',
    serial: '01',
    session_nonce: isOnline ? 'nonce' : null,
    seen_at: null,
    offline_since: null,
    firmware: '1.0.0',
    event_sequence: 0,
    received_events: '{}',
    hello_counter: 0,
    awaits_revocations: 0,
    is_confirmed: 1,
    claim_ticket_id: null,
    stolen_at: null,
  });
  return device.id;
};

const create = async (overrides: object = {}, release?: string) => {
  const release_id = release ?? (await addRelease());
  const body = parseTestBody(createRolloutRequestSchema, {
    release_id,
    ...('device_ids' in overrides || 'site_id' in overrides ? {} : { all: true }),
    ...overrides,
  });
  return test.organization.write(context => createRollout(context, body));
};
const changeState = (id: string, to: 'paused' | 'running' | 'cancelled') =>
  test.organization.write(context => changeRolloutState(context, id, to));
const devicesOf = (rolloutId: string): Promise<RolloutDeviceRow[]> =>
  test.database.services.storage.writer
    .selectFrom('rollout_devices')
    .selectAll()
    .where('rollout_id', '=', rolloutId)
    .orderBy('device_id')
    .execute();
const statesOf = async (rolloutId: string) => (await devicesOf(rolloutId)).map(({ state }) => state);
const setState = (rolloutId: string, deviceId: string, state: string) =>
  test.database.services.storage.writer
    .updateTable('rollout_devices')
    .set({ state })
    .where('rollout_id', '=', rolloutId)
    .where('device_id', '=', deviceId)
    .execute();
const rolloutOf = (id: string) =>
  test.database.services.storage.writer
    .selectFrom('rollouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('createRollout', () => {
  it('assigns every claimed controller to a stage, ordered by id', async () => {
    const ids = [await addController(), await addController(), await addController()];
    await test.organization.device(site);
    const rollout = await create({ stages: [{ count: 1, wait_s: 60 }] });
    expect(JSON.parse(rollout.stages)).toEqual([
      { devices: 1, wait_s: 60 },
      { devices: 2, wait_s: 0 },
    ]);
    const rows = await devicesOf(rollout.id);
    expect(rows.map(({ device_id, stage, state }) => [device_id, stage, state])).toEqual(
      ids.toSorted().map((id, index) => [id, index === 0 ? 0 : 1, 'waiting']),
    );
    expect(rows[0]).toMatchObject({ from_version: '1.0.0', running_version: '1.0.0' });
  });

  it('selects the devices that run the program of the release', async () => {
    const [, gateway] = [await addController(), await addController({ product: 'gateway' })];
    const rollout = await create({}, await addRelease('gateway'));
    expect((await devicesOf(rollout.id)).map(({ device_id }) => device_id)).toEqual([gateway]);
  });

  it('selects the devices of one site', async () => {
    const otherSite = (await test.organization.site()).id;
    const [here] = [await addController(), await addController({ siteId: otherSite })];
    const rollout = await create({ site_id: site });
    expect((await devicesOf(rollout.id)).map(({ device_id }) => device_id)).toEqual([here]);
  });

  it('names a device that is unknown, not claimed, or runs another program', async () => {
    const [controller, gateway] = [await addController(), await addController({ product: 'gateway' })];
    const { device } = await test.organization.device(site);
    for (const wrong of [test.database.services.newId('device'), device.id, gateway]) {
      expect(await captureApiError(create({ device_ids: [controller, wrong] }))).toBe('invalid_request: device_ids.1');
    }
  });

  it('rejects a roll-out without devices', async () => {
    await addController({ product: 'gateway' });
    expect(await captureApiError(create())).toBe('invalid_request: device_ids');
  });

  it('rejects a device of another roll-out until that has ended for the device', async () => {
    const device = await addController();
    const first = await create();
    expect(await captureApiError(create())).toBe('invalid_request: device_ids');
    await setState(first.id, device, 'confirmed');
    expect((await create()).state).toBe('running');
  });

  it('accepts a device whose other roll-out was cancelled', async () => {
    await addController();
    await changeState((await create()).id, 'cancelled');
    expect((await create()).state).toBe('running');
  });
});

describe('changeRolloutState', () => {
  it.each([
    ['running', 'paused', true],
    ['running', 'cancelled', true],
    ['paused', 'running', true],
    ['paused', 'cancelled', true],
    ['halted', 'running', true],
    ['halted', 'cancelled', true],
    ['halted', 'paused', false],
    ['cancelled', 'running', false],
    ['cancelled', 'paused', false],
    ['done', 'running', false],
    ['done', 'cancelled', false],
  ] as const)('from %s to %s: %s', async (from, to, isAllowed) => {
    await addController();
    const { id } = await create();
    await test.database.services.storage.writer
      .updateTable('rollouts')
      .set({ state: from })
      .where('id', '=', id)
      .execute();
    if (isAllowed) expect((await changeState(id, to)).state).toBe(to);
    else expect(await captureApiError(changeState(id, to))).toBe('invalid_request');
  });

  it('records nothing when the roll-out is in that state already', async () => {
    await addController();
    const { id } = await create();
    expect(await test.organization.eventsOf(() => changeState(id, 'running'))).toEqual([]);
  });

  it('cancels devices that have not switched and leaves the others', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => addController()))).toSorted();
    const { id } = await create();
    const states = ['waiting', 'told', 'downloading', 'ready', 'switched', 'confirmed'];
    for (const [index, state] of states.entries()) await setState(id, ids[index]!, state);
    const cancelled = await changeState(id, 'cancelled');
    expect(cancelled.finished_at).toBe(test.database.clock.now);
    expect(await statesOf(id)).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled', 'switched', 'confirmed']);
  });

  it('resets cancelled devices and forgives failures when it resumes after a halt', async () => {
    const ids = (await Promise.all(Array.from({ length: 3 }, () => addController()))).toSorted();
    const { id } = await create();
    for (const [index, state] of ['cancelled', 'failed', 'rolled_back'].entries())
      await setState(id, ids[index]!, state);
    await test.database.services.storage.writer
      .updateTable('rollouts')
      .set({ state: 'halted', reason: 'failures' })
      .where('id', '=', id)
      .execute();
    expect(await changeState(id, 'running')).toMatchObject({ state: 'running', reason: null, forgiven_failures: 2 });
    expect(await statesOf(id)).toEqual(['waiting', 'failed', 'rolled_back']);
  });
});

describe('RolloutCoordinator', () => {
  const sentMessages: string[] = [];
  const connected = new Set<string>();
  const rolloutsWith = (services = test.database.services) =>
    new RolloutCoordinator({
      services,
      sessions: { of: (id: string) => (connected.has(id) ? { id } : undefined) },
      downlink: {
        send: async ({ id }: { id: string }, _: string, { action }: { action: string }) =>
          void sentMessages.push(`${action} ${id}`),
      },
    } as never);
  const report = (rollouts: RolloutCoordinator, device: string, rollout: string, state: string) =>
    rollouts.handleReport(
      device as never,
      {
        v: 1,
        rollout_id: rollout as never,
        state,
        percent: null,
        running: '2.0.0',
        reason: null,
      } as never,
    );
  beforeEach(async () => {
    sentMessages.length = 0;
    connected.clear();
    await test.database.services.storage.writer.deleteFrom('rollouts').execute();
  });

  it('sends the install message to devices of the running stage that are connected to this bridge', async () => {
    const [first, second] = [await addController(), await addController()].toSorted();
    const { id } = await create();
    connected.add(first!);
    const rollouts = rolloutsWith();
    await rollouts.advanceRollouts();
    expect(sentMessages).toEqual([`install ${first}`]);
    expect(await statesOf(id)).toEqual(['told', 'waiting']);
    await rollouts.advanceRollouts();
    expect(sentMessages).toHaveLength(1);
    connected.add(second!);
    await rollouts.advanceRollouts();
    expect(sentMessages.at(-1)).toBe(`install ${second}`);
  });

  it('begins the next stage when the first has been observed long enough, and ends with the last', async () => {
    const [first, second] = [await addController(), await addController()].toSorted();
    const { id } = await create({ stages: [{ count: 1, wait_s: 60 }] });
    for (const device of [first!, second!]) connected.add(device);
    const rollouts = rolloutsWith();
    await rollouts.advanceRollouts();
    await report(rollouts, first!, id, 'confirmed');
    await rollouts.advanceRollouts();
    test.database.clock.now += 59_000;
    await rollouts.advanceRollouts();
    expect((await rolloutOf(id)).stage).toBe(0);
    test.database.clock.now += 1000;
    await rollouts.advanceRollouts();
    await rollouts.advanceRollouts();
    expect(sentMessages).toEqual([`install ${first}`, `install ${second}`]);
    await report(rollouts, second!, id, 'confirmed');
    await rollouts.advanceRollouts();
    expect(await rolloutOf(id)).toMatchObject({ state: 'done', finished_at: test.database.clock.now });
  });

  it('halts after a failure and cancels started installations once', async () => {
    const [first, second] = [await addController(), await addController()].toSorted();
    const { id } = await create();
    for (const device of [first!, second!]) connected.add(device);
    const rollouts = rolloutsWith();
    await rollouts.advanceRollouts();
    await report(rollouts, first!, id, 'rolled_back');
    await rollouts.advanceRollouts();
    expect((await rolloutOf(id)).state).toBe('halted');
    for (let attempt = 0; attempt < 3; attempt++) await rollouts.advanceRollouts();
    expect(sentMessages.filter(message => message.startsWith('cancel'))).toEqual([`cancel ${second}`]);
  });

  it('sends a cancel message to a device that continues to download after a halt', async () => {
    const device = await addController();
    const { id } = await create();
    connected.add(device);
    const rollouts = rolloutsWith();
    await rollouts.advanceRollouts();
    await changeState(id, 'cancelled');
    await report(rollouts, device, id, 'downloading');
    expect(sentMessages.at(-1)).toBe(`cancel ${device}`);
    expect(await statesOf(id)).toEqual(['cancelled']);
  });

  it('repeats the install message to a device that reconnects', async () => {
    const device = await addController();
    await create();
    connected.add(device);
    const rollouts = rolloutsWith();
    await rollouts.advanceRollouts();
    await rollouts.onHello(device);
    expect(sentMessages).toEqual([`install ${device}`, `install ${device}`]);
  });

  it('halts again at the next failure after a forgiven device has recovered', async () => {
    const [first, second] = [await addController(), await addController()].toSorted();
    const { id } = await create();
    const rollouts = rolloutsWith();
    await setState(id, first!, 'failed');
    await rollouts.advanceRollouts();
    expect((await rolloutOf(id)).state).toBe('halted');
    await changeState(id, 'running');
    await report(rollouts, first!, id, 'confirmed');
    await setState(id, second!, 'rolled_back');
    await rollouts.advanceRollouts();
    expect((await rolloutOf(id)).state).toBe('halted');
  });

  it('keeps a report that arrives while the silent device is marked as failed', async () => {
    const device = await addController();
    const { id } = await create();
    await setState(id, device, 'switched');
    test.database.clock.now += 21 * 60_000;
    const { writer } = test.database.services;
    const reportFirst = {
      write: async (...overrides: Parameters<typeof writer.write>) => {
        await setState(id, device, 'confirmed');
        return writer.write(...overrides);
      },
    };
    await rolloutsWith({ ...test.database.services, writer: reportFirst as never }).advanceRollouts();
    expect(await statesOf(id)).toEqual(['confirmed']);
  });

  it('rejects reports for an unknown roll-out and for a device that is not part of it', async () => {
    const device = await addController();
    const { id } = await create();
    const rollouts = rolloutsWith();
    expect(await report(rollouts, device, 'rol_unknown', 'ready')).toContain('roll-out');
    expect(await report(rollouts, await addController(), id, 'ready')).toContain('not part');
    expect(await report(rollouts, device, id, 'ready')).toBeNull();
  });
});
