import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { insertMembers } from '@lintel/cloud-bridge/testing';
import { buildRevocationTopic } from '@lintel/wire-protocol/mqtt/topics';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { type Benchmark, p99, scaled } from './harness/benchmark-types-and-statistics.ts';
import { createClaimedFleet } from './devices-fixture/create-claimed-controllers-and-members.ts';
import { FleetClient } from './devices-fixture/fleet-process-client.ts';

const CONTROLLERS = scaled(1000);
const ROUNDS = scaled(40, 2);
const SNAPSHOT_DELAY_MS = 200;
/** The approximate size of a signed revocation. */
const MESSAGE_BYTES = 520;

const milliseconds = (from: bigint, to: bigint): number => Number(to - from) / 1e6;

/** Sends one plain message to all controllers through the same broker. */
const measureBareFanOut = async (
  { bridge }: TestBridge,
  client: TestOrganizationClient,
  fleet: FleetClient,
): Promise<number> => {
  const start = process.hrtime.bigint();
  await bridge.devices.transport.publish(
    buildRevocationTopic(client.organizationId as OrganizationId),
    Buffer.alloc(MESSAGE_BYTES, 'B'),
  );
  return milliseconds(start, await fleet.lastRevocationAfter(start));
};

/** Milliseconds from the response of the API to the last controller that has verified the revocation. */
const measureRevocation = async (
  client: TestOrganizationClient,
  fleet: FleetClient,
  memberId: string,
): Promise<number> => {
  const start = process.hrtime.bigint();
  await client.callOk('DELETE', `/members/${memberId}`);
  const respondedAt = process.hrtime.bigint();
  return Math.max(0, milliseconds(respondedAt, await fleet.lastRevocationAfter(start)));
};

const waitUntilIdle = async (world: TestBridge): Promise<void> => {
  await delay(SNAPSHOT_DELAY_MS);
  await world.bridge.devices.whenIdle();
  await delay(SNAPSHOT_DELAY_MS);
};

const run: Benchmark['run'] = async () => {
  const world = await TestBridge.open({ clock: () => instant(Date.now()) });
  world.now = instant(Date.now());
  const client = await world.newOrganization();
  const fleet = await createClaimedFleet(world, client, CONTROLLERS);
  const { id: groupId } = await client.callOk('POST', '/member_groups', { name: 'All', permissions: [{}] });
  const members = await insertMembers(world.services, client.organizationId, { count: ROUNDS, groupId });
  const port = await world.bridge.devices.broker!.listen('127.0.0.1', 0);
  const control = await FleetClient.start(port, fleet, SNAPSHOT_DELAY_MS);
  await control.waitForRevision(revision => revision >= 0);
  await waitUntilIdle(world);
  const ours: number[] = [];
  const bare: number[] = [];
  for (const memberId of members) {
    bare.push(await measureBareFanOut(world, client, control));
    await waitUntilIdle(world);
    ours.push(await measureRevocation(client, control, memberId));
    await waitUntilIdle(world);
  }
  await control.stop();
  await world.close();
  return {
    figures: { p99_ms: p99(ours), controllers: CONTROLLERS },
    ratios: { fanout: p99(ours) / p99(bare) },
  };
};

export default { name: 'revoke', smallerIsBetter: ['fanout'], goals: { fanout: 2 }, run } satisfies Benchmark;
