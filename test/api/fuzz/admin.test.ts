import { adminEndpoints } from '@lintel/cloud-bridge/admin/all-endpoints';
import { accountEndpoints } from '@lintel/cloud-bridge/admin/endpoints/account';
import { releaseUploadEndpoints } from '@lintel/cloud-bridge/updates/release-endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRollout } from '../../support/bridge/a-rollout.ts';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { aDevice, aDoor } from '../../support/bridge/place.ts';
import { FuzzRun } from '../../support/fuzz-run.ts';

/** These would end the very token that asks, and every later answer would be 401. */
const endsTokens = /^DELETE .*(applications|authorizations)/;

describe.each([
  { engine: 'sqlite', perEndpoint: 150 },
  { engine: 'postgres', perEndpoint: 50 },
] as const)('the administration on $engine', ({ engine, perEndpoint }) => {
  let world: BridgeWorld;
  beforeAll(async () => {
    world = await BridgeWorld.open({ engine });
  }, 60_000);
  afterAll(async () => {
    await world.close();
  });

  it('answers whatever it is sent: never a failure, never an error without its form', async () => {
    const client = await world.newOrganization();
    const { siteId } = await aDoor(world, client);
    await aDevice(world, client, { site_id: siteId });
    await aRollout(world, client);
    const reader = await world.client(client.organizationId, client.applicationId, 'full_read_only');
    const { services } = world.bridge;
    const all = [
      ...accountEndpoints(services),
      ...adminEndpoints(services, () => undefined),
      ...releaseUploadEndpoints(services),
    ];
    const endpoints = all.filter(({ method, path }) => !endsTokens.test(`${method} ${path}`));
    const run = new FuzzRun(world, client, reader, '/admin/v1');
    await run.run(endpoints, perEndpoint, 20_260_602);
    for (const status of [200, 400, 401, 403, 404, 405, 415]) expect([...run.tally.byStatus.keys()]).toContain(status);
    expect(run.tally.succeeded.size).toBeGreaterThan(endpoints.length / 2);
  });
});
