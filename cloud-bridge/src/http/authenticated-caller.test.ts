import { describe, expect, it } from 'vitest';
import { type AccessTokenCaller, canCallerRead, canCallerWrite } from './authenticated-caller.ts';

const caller = (...scopes: string[]): AccessTokenCaller => ({
  organizationId: 'org_1',
  applicationId: 'app_1',
  userId: null,
  role: 'administrator',
  isApplication: true,
  siteIds: null,
  scopes: new Set(scopes),
  ip: '192.0.2.1',
  userAgent: undefined,
});

describe('canCallerRead and canCallerWrite', () => {
  it.each([
    [['full_read_write'], true, true],
    [['full_read_only'], true, false],
    [['full_read_only', 'full_read_write'], true, true],
    [['offline'], false, false],
    [[], false, false],
  ])('%j: can read %s, can write %s', (scopes, isReader, isWriter) => {
    expect([canCallerRead(caller(...scopes)), canCallerWrite(caller(...scopes))]).toEqual([isReader, isWriter]);
  });
});
