import { describe, expect, it } from 'vitest';
import { parseTechnicianPagePath } from './controller-endpoint.ts';

describe('parseTechnicianPagePath', () => {
  it('distinguishes a local controller, a remote controller and the device list of the bridge', () => {
    expect(parseTechnicianPagePath('/')).toEqual({ kind: 'local', base: '/technician/v1', isRemote: false });
    expect(parseTechnicianPagePath('/technician/')).toMatchObject({ kind: 'device_list', isRemote: true });
    for (const path of ['/technician/devices/dev_1', '/technician/devices/dev_1/'])
      expect(parseTechnicianPagePath(path)).toEqual({
        kind: 'remote',
        base: '/admin/v1/devices/dev_1/technician/v1',
        isRemote: true,
      });
  });
});
