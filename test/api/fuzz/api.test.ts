import { allEndpoints } from '@lintel/cloud-bridge/routes/all-endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { aDevice, aDoor } from '../../support/bridge/place.ts';
import { FuzzRun } from '../../support/fuzz-run.ts';

describe.each([
  { engine: 'sqlite', requests: 22_000, mostUnreached: 0 },
  { engine: 'postgres', requests: 5_000, mostUnreached: 15 },
] as const)('the API on $engine', ({ engine, requests, mostUnreached }) => {
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
    await aDevice(world, client, { site_id: siteId, hardware_id: 'hw_offline' as never });
    const reader = await world.client(client.organizationId, client.applicationId, 'full_read_only');
    const endpoints = allEndpoints(world.bridge.services);
    const run = new FuzzRun(world, client, reader);
    await run.run(endpoints, Math.ceil(requests / endpoints.length), 20_260_601);
    const total = [...run.tally.byStatus.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(requests);
    for (const status of [200, 400, 401, 403, 404, 405, 415]) expect([...run.tally.byStatus.keys()]).toContain(status);
    const unreached = endpoints
      .map(({ method, path }) => `${method} ${path}`)
      .filter(name => !run.tally.succeeded.has(name));
    expect(unreached.slice(mostUnreached)).toEqual([]);
  });
});
