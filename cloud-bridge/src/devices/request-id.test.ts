import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MasterKeys } from '../secrets/master-keys.ts';
import { createRequestId, findRequestTime } from './request-id.ts';

describe('ids of requests to controllers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-request-id-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const keys = MasterKeys.open(folder);
  const action = { gadgetId: 'gad_1', actionId: 'open' };
  const request = { deviceId: 'dev_1', action, subject: { user_id: 'usr_1', oauth_application_id: 'app_1' } };
  const id = createRequestId(keys, 1_900_000_000_000, request);

  it('proves the request at any bridge, also after the master key was changed', () => {
    expect(id.length).toBeLessThanOrEqual(100);
    expect(findRequestTime(keys, id, request)).toBe(1_900_000_000_000);
    const subject = { oauth_application_id: 'app_1', member_id: null, user_id: 'usr_1' };
    const other = MasterKeys.open(folder);
    other.addVersion();
    expect(findRequestTime(other, id, { ...request, subject })).toBe(1_900_000_000_000);
    expect(createRequestId(keys, 1_900_000_000_000, request)).not.toBe(id);
  });

  it('proves nothing about another device, action, person or time', () => {
    const [version, , ...rest] = id.split('.');
    const changed = [
      findRequestTime(keys, id, { ...request, deviceId: 'dev_2' }),
      findRequestTime(keys, id, { ...request, action: { ...action, gadgetId: 'gad_2' } }),
      findRequestTime(keys, id, { ...request, action: null }),
      findRequestTime(keys, id, { ...request, subject: { user_id: 'usr_2', oauth_application_id: 'app_1' } }),
      findRequestTime(keys, id, { ...request, subject: { user_id: 'usr_1' } }),
      findRequestTime(keys, [version, 'zzzzzzzz', ...rest].join('.'), request),
      findRequestTime(keys, `9${id}`, request),
      findRequestTime(keys, '', request),
      findRequestTime(keys, id.slice(0, id.lastIndexOf('.') + 1), request),
      findRequestTime(keys, '52d3ff08-5b3e-4c9d-9d5e-0c9a1f2b3c4d', request),
    ];
    expect(changed).toEqual(changed.map(() => null));
  });
});
