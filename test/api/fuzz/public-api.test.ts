import { declaredApis } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { FuzzRun } from './fuzz-run.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

const perEndpoint = {
  sqlite: iterations({ sample: 20, all: 120 }),
  postgres: iterations({ sample: 6, all: 30 }),
};

const required = {
  statuses: [200, 400, 401, 403, 404, 405, 415],
  succeeded: iterations({ sample: 0.5, all: 0.8 }),
};

describeOnSqliteFirst('REST API', bridge => {
  it('responds to generated requests with the documented form, and never with an internal error', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    await createTestDevice(bridge(), client, { site_id: siteId, hardware_id: 'hw_offline' as never });
    const reader = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
    const run = new FuzzRun(bridge(), client, reader);
    run.addIds(siteId, deviceId, gadgetId);
    const { engine } = bridge().services.storage;
    expect(await run.run(declaredApis.public.endpoints, perEndpoint[engine], runSeed(), required)).toEqual([]);
  });
});
