import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { revokeTopic } from '@lintel/wire-protocol/mqtt/topics';
import { TestBridge, type OrganizationClient } from '../support/bridge/test-bridge.ts';
import type { Benchmark } from './benchmark.ts';
import { claimedFleet, manyMembers } from './devices-fixture/claimed-fleet.ts';
import { FleetControl } from './devices-fixture/fleet-control.ts';

const CONTROLLERS = 1000;
const ROUNDS = 40;
const SLICE_DELAY_MS = 200;
/** About what a revocation with its signature takes. */
const MESSAGE_BYTES = 520;

const milliseconds = (from: bigint, to: bigint): number => Number(to - from) / 1e6;

const p99 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!;

/** One message to all of them through the same broker, with nothing around it. */
const bareFanOut = async ({ bridge }: TestBridge, client: OrganizationClient, fleet: FleetControl): Promise<number> => {
  const start = process.hrtime.bigint();
  await bridge.devices.transport.publish(
    revokeTopic(client.organizationId as OrganizationId),
    Buffer.alloc(MESSAGE_BYTES, 'B'),
  );
  return milliseconds(start, await fleet.allHeardSince(start));
};

/** From the answer to the one who deletes to the last controller that denies. */
const revocation = async (client: OrganizationClient, fleet: FleetControl, memberId: string): Promise<number> => {
  const start = process.hrtime.bigint();
  await client.callOk('DELETE', `/members/${memberId}`);
  const answered = process.hrtime.bigint();
  return Math.max(0, milliseconds(answered, await fleet.allHeardSince(start)));
};

const settled = async (world: TestBridge): Promise<void> => {
  await delay(SLICE_DELAY_MS);
  await world.bridge.devices.idle();
  await delay(SLICE_DELAY_MS);
};

const run: Benchmark['run'] = async () => {
  const world = await TestBridge.open({ clock: () => instant(Date.now()) });
  world.now = instant(Date.now());
  const client = await world.newOrganization();
  const fleet = await claimedFleet(world, client, CONTROLLERS);
  const { id: groupId } = await client.callOk('POST', '/member_groups', { name: 'All', permissions: [{}] });
  const members = await manyMembers(world, client, groupId, ROUNDS, async () => undefined);
  const port = await world.bridge.devices.broker!.listen('127.0.0.1', 0);
  const control = await FleetControl.start(port, fleet, SLICE_DELAY_MS);
  await control.allServe(revision => revision >= 0);
  await settled(world);
  const ours: number[] = [];
  const bare: number[] = [];
  for (const memberId of members) {
    bare.push(await bareFanOut(world, client, control));
    await settled(world);
    ours.push(await revocation(client, control, memberId));
    await settled(world);
  }
  await control.stop();
  await world.close();
  return {
    figures: { p99_ms: p99(ours), controllers: CONTROLLERS },
    ratios: { fanout: p99(ours) / p99(bare) },
  };
};

export default { name: 'revoke', run } satisfies Benchmark;
