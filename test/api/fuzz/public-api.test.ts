import { createPublicEndpoints } from '../../../cloud-bridge/src/routes/public-endpoints.ts';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { expectedStatuses, FuzzRun } from './fuzz-run.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

const perEndpoint = {
  sqlite: iterations({ sample: 20, all: 120 }),
  postgres: iterations({ sample: 6, all: 30 }),
};

/** Requests that never succeed test nothing behind the validation. */
const mostUnreached = {
  sqlite: iterations({ sample: 0.5, all: 0.1 }),
  postgres: iterations({ sample: 0.75, all: 0.35 }),
};

describeOnBothDatabases('REST API', bridge => {
  it('responds to generated requests with the documented form, and never with an internal error', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    await createTestDevice(bridge(), client, { site_id: siteId, hardware_id: 'hw_offline' as never });
    const reader = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
    const endpoints = createPublicEndpoints(bridge().services, {} as never);
    const run = new FuzzRun(bridge(), client, reader);
    run.addIds(siteId, deviceId, gadgetId);
    const { engine } = bridge().services.storage;
    await run.run(endpoints, perEndpoint[engine], runSeed());
    const unreached = endpoints
      .map(({ method, path }) => `${method} ${path}`)
      .filter(name => !run.results.succeeded.has(name));
    expect(unreached.slice(mostUnreached[engine] * endpoints.length)).toEqual([]);
    expect([...run.results.byStatus.keys()]).toEqual(expect.arrayContaining(expectedStatuses[engine]));
  });
});
