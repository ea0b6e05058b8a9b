import { describe, expect, it } from 'vitest';
import { parseControllerEndpoint } from './controller-endpoint.ts';

describe('parseControllerEndpoint', () => {
  it('distinguishes a local controller, a remote controller and the device list of the bridge', () => {
    expect(parseControllerEndpoint('/')).toEqual({ kind: 'local', base: '/technician/v1', isRemote: false });
    expect(parseControllerEndpoint('/technician/')).toMatchObject({ kind: 'device_list', isRemote: true });
    for (const path of ['/technician/devices/dev_1', '/technician/devices/dev_1/'])
      expect(parseControllerEndpoint(path)).toEqual({
        kind: 'remote',
        base: '/admin/v1/devices/dev_1/technician/v1',
        isRemote: true,
      });
  });
});
