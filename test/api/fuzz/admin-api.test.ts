import { declaredApis } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createPausedRollout } from '../../support/bridge/create-paused-rollout.ts';
import { createTestDevice, createTestDoor } from '../../support/bridge/site-fixtures.ts';
import { FuzzRun } from './fuzz-run.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

/** These revoke the token of the run, and every later response would be 401. */
const revokesToken = /^DELETE .*(applications|authorizations)/;

const perEndpoint = {
  sqlite: iterations({ sample: 15, all: 75 }),
  postgres: iterations({ sample: 5, all: 25 }),
};

const required = {
  statuses: [200, 400, 401, 403, 404, 405, 415],
  succeeded: iterations({ sample: 0.25, all: 0.4 }),
};

describeOnSqliteFirst('administration API', bridge => {
  it('responds to generated requests with the documented form, and never with an internal error', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    await createTestDevice(bridge(), client, { site_id: siteId });
    const rolloutIds = await createPausedRollout(bridge(), client);
    const reader = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
    const endpoints = declaredApis.admin.endpoints.filter(
      ({ method, path }) => !revokesToken.test(`${method} ${path}`),
    );
    const run = new FuzzRun(bridge(), client, reader, '/admin/v1');
    run.addIds(client.organizationId, siteId, deviceId, gadgetId, ...rolloutIds);
    const { engine } = bridge().services.storage;
    expect(await run.run(endpoints, perEndpoint[engine], runSeed(), required)).toEqual([]);
  });
});
