import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

describeOnBothDatabases('GET /installation', bridge => {
  it('shows version, address and setup of the bridge to every role', async () => {
    const { organizationId } = await bridge().newOrganization();
    const technician = await openAdminSession(bridge(), organizationId, 'technician');
    expect(await technician.callOk('GET', '/installation')).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      public_url: 'http://bridge.test',
      database: bridge().services.storage.engine,
      sends_email: false,
    });
  });
});
