import { expect, it } from 'vitest';
import { placeOf } from './place.ts';

it('is at the door, at the bridge with a controller, or at the bridge before one is chosen', () => {
  expect(placeOf('/')).toEqual({ kind: 'door', base: '/technician/v1', isRemote: false });
  expect(placeOf('/technician/')).toMatchObject({ kind: 'list', isRemote: true });
  for (const path of ['/technician/devices/dev_1', '/technician/devices/dev_1/'])
    expect(placeOf(path)).toEqual({ kind: 'afar', base: '/admin/v1/devices/dev_1/technician/v1', isRemote: true });
});
