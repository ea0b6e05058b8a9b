import { instant } from '@lintel/access-core/instant';
import { insertMembers } from '@lintel/cloud-bridge/testing';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { type Benchmark, scaled } from './harness/benchmark-types-and-statistics.ts';
import { createClaimedFleet } from './devices-fixture/create-claimed-controllers-and-members.ts';
import { FleetClient } from './devices-fixture/fleet-process-client.ts';
import { LimitedLink, measureBareTransfer } from './sync-fixture/limited-link.ts';

const MEMBERS = scaled(100_000);
const CONTROLLERS = scaled(1000);
/** Members in the snapshot of each controller. */
const GUESTS = 100;
/** 20 Mbit/s, a site with an ordinary internet connection. */
const LINK_BYTES_PER_SECOND = 20_000_000 / 8;

const seconds = (from: bigint, to: bigint): number => Number(to - from) / 1e9;

interface Hotel {
  readonly world: TestBridge;
  readonly client: TestOrganizationClient;
  readonly groupId: string;
}

const openHotel = async (): Promise<Hotel> => {
  const world = await TestBridge.open({ clock: () => instant(Date.now()) });
  world.now = instant(Date.now());
  const client = await world.newOrganization();
  const { id: groupId } = await client.callOk('POST', '/member_groups', { name: 'All', permissions: [{}] });
  return { world, client, groupId };
};

const startFleet = async ({ world, client }: Hotel, count: number): Promise<FleetClient> => {
  const fleet = await createClaimedFleet(world, client, count);
  const port = await world.bridge.devices.broker!.listen('127.0.0.1', 0);
  return FleetClient.start(port, fleet);
};

/** From the connection of an empty controller until it has the complete snapshot, over a link with limited bandwidth. */
const measureFirstSnapshot = async () => {
  const hotel = await openHotel();
  const { world, client, groupId } = hotel;
  const pinOf = (index: number): string => String(10_000_000 + index * 7);
  await insertMembers(world.services, client.organizationId, { count: MEMBERS, groupId, pinOf });
  const fleet = await createClaimedFleet(world, client, 1);
  const link = await LimitedLink.start(
    await world.bridge.devices.broker!.listen('127.0.0.1', 0),
    LINK_BYTES_PER_SECOND,
  );
  const control = await FleetClient.start(link.port, fleet);
  const { servedAt, bytesRead } = await control.waitForRevision(revision => revision >= 0);
  const { snapshotBytes } = await control.report(true);
  const snapshot_100k_s = seconds(await link.connectedAt(), BigInt(servedAt));
  await control.stop();
  await link.stop();
  await world.close();
  const bare_transfer_s = await measureBareTransfer(snapshotBytes, LINK_BYTES_PER_SECOND);
  return {
    figures: { snapshot_100k_s, bare_transfer_s, snapshot_mb: snapshotBytes / 1e6 },
    ratios: { wire: bytesRead / snapshotBytes, snapshot_time: snapshot_100k_s / bare_transfer_s },
  };
};

/** Seconds from a change for all controllers until the last one serves it. */
const measureDelta = async (): Promise<number> => {
  const hotel = await openHotel();
  const { world, client, groupId } = hotel;
  const pinOf = (index: number): string => String(100_000 + index * 7);
  const guests = { count: GUESTS, groupId, pinOf };
  const [member = ''] = await insertMembers(world.services, client.organizationId, guests);
  const control = await startFleet(hotel, CONTROLLERS);
  await control.waitForRevision(revision => revision >= 0);
  await world.bridge.devices.whenIdle();
  const { serving } = await control.report();
  const before = Math.max(...Object.keys(serving).map(Number));
  await client.callOk('POST', `/members/${member}/pins`, { pin: '99887766' });
  const start = process.hrtime.bigint();
  const { servedAt } = await control.waitForRevision(revision => revision > before);
  await control.stop();
  await world.close();
  return seconds(start, BigInt(servedAt));
};

const run: Benchmark['run'] = async () => {
  const snapshot = await measureFirstSnapshot();
  const delta_1000_controllers_s = await measureDelta();
  return {
    figures: { ...snapshot.figures, delta_1000_controllers_s },
    ratios: snapshot.ratios,
  };
};

export default { name: 'sync', smallerIsBetter: ['wire'], goals: { snapshot_time: 3 }, run } satisfies Benchmark;
