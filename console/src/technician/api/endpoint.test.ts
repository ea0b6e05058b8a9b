import { describe, expect, it } from 'vitest';
import { parseApiEndpoint } from './endpoint.ts';

describe('parseApiEndpoint', () => {
  it('distinguishes a local controller, a remote controller and the device list of the bridge', () => {
    expect(parseApiEndpoint('/')).toEqual({ kind: 'local', base: '/technician/v1', isRemote: false });
    expect(parseApiEndpoint('/technician/')).toMatchObject({ kind: 'device_list', isRemote: true });
    for (const path of ['/technician/devices/dev_1', '/technician/devices/dev_1/'])
      expect(parseApiEndpoint(path)).toEqual({
        kind: 'remote',
        base: '/admin/v1/devices/dev_1/technician/v1',
        isRemote: true,
      });
  });
});
