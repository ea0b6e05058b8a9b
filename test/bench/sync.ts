import { instant } from '@lintel/access-core/instant';
import type { PinDigits } from '@lintel/access-core/pin-digits';
import { createMemberPin } from '../../cloud-bridge/src/resources/member-pins.ts';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { type Benchmark, scaled } from './harness/benchmark-types-and-statistics.ts';
import { createClaimedFleet, createMembers } from './devices-fixture/create-claimed-controllers-and-members.ts';
import { FleetClient } from './devices-fixture/fleet-process-client.ts';

const MEMBERS = scaled(100_000);
const CONTROLLERS = scaled(1000);
/** Members in the snapshot of each controller. */
const GUESTS = 100;

const pinDigits = (number: number): PinDigits => String(number) as PinDigits;

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

/** From the hello of an empty controller until it serves the complete snapshot. */
const measureFirstSnapshot = async (): Promise<{ readonly seconds: number; readonly wire: number }> => {
  const hotel = await openHotel();
  const { world, client, groupId } = hotel;
  await createMembers(world, client, groupId, MEMBERS, async (context, id, index) => {
    await createMemberPin(context, id, { pin: pinDigits(10_000_000 + index * 7), metadata: {} });
  });
  const start = process.hrtime.bigint();
  const control = await startFleet(hotel, 1);
  const { servedAt, bytesRead } = await control.waitForRevision(revision => revision >= 0);
  const { snapshotBytes } = await control.report(true);
  const took = seconds(start, BigInt(servedAt));
  await control.stop();
  await world.close();
  return { seconds: took, wire: bytesRead / snapshotBytes };
};

/** Seconds from a change for all controllers until the last one serves it. */
const measureDelta = async (): Promise<number> => {
  const hotel = await openHotel();
  const { world, client, groupId } = hotel;
  const [member = ''] = await createMembers(world, client, groupId, GUESTS, async (context, id, index) => {
    await createMemberPin(context, id, { pin: pinDigits(100_000 + index * 7), metadata: {} });
  });
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
    figures: { snapshot_100k_s: snapshot.seconds, delta_1000_controllers_s },
    ratios: { wire: snapshot.wire },
  };
};

export default { name: 'sync', smallerIsBetter: ['wire'], run } satisfies Benchmark;
