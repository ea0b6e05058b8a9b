import { describe, expect, it } from 'vitest';
import { placeOf } from './place.ts';

describe('placeOf', () => {
  it('distinguishes the controller, a controller through the bridge, and the list at the bridge', () => {
    expect(placeOf('/')).toEqual({ kind: 'door', base: '/technician/v1', isRemote: false });
    expect(placeOf('/technician/')).toMatchObject({ kind: 'list', isRemote: true });
    for (const path of ['/technician/devices/dev_1', '/technician/devices/dev_1/'])
      expect(placeOf(path)).toEqual({ kind: 'afar', base: '/admin/v1/devices/dev_1/technician/v1', isRemote: true });
  });
});
