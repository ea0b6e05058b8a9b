import { describe, expect, it } from 'vitest';
import type { AccessTokenCaller } from '../http/authenticated-caller.ts';
import { toActor } from './actor.ts';

const caller: AccessTokenCaller = {
  organizationId: 'org_1',
  applicationId: 'app_1',
  userId: null,
  role: 'administrator',
  isApplication: true,
  siteIds: null,
  scopes: new Set(),
  ip: '192.0.2.1',
  userAgent: undefined,
};

describe('toActor', () => {
  it('names the application, and the user only if there is one', () => {
    expect(toActor(caller)).toMatchObject({ oauth_application_id: 'app_1', ip_address: '192.0.2.1' });
    expect(toActor(caller)).not.toHaveProperty('user_id');
    expect(toActor({ ...caller, applicationId: null, userId: 'usr_1' })).not.toHaveProperty('oauth_application_id');
  });
});
