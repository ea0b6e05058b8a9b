import type { TechnicianDeviceResponse } from '@lintel/wire-protocol/admin/controller-details-for-technician';
import { describe, expect, it } from 'vitest';
import { resolveTechnicianPassRequestTarget } from './resolve-pass-request-target.ts';

const controller = {
  device_id: 'dev_1',
  name: 'Back door',
  site_id: 'site_1',
  site_name: 'Hotel',
  local_url: 'https://lintel-7f3a.local:8443',
  local_address: 'https://192.168.1.20:8443',
} as TechnicianDeviceResponse;
const site = { id: 'site_1', name: 'Hotel', controllers: [controller], devices: [] };
const organizations = [
  { id: 'org_1', name: 'Empty', sites: [] },
  { id: 'org_2', name: 'Hotels', sites: [site] },
];

const target = (return_to: string, device_id = 'dev_1') =>
  resolveTechnicianPassRequestTarget(organizations, { device_id, return_to, public_key: 'B' });

describe('resolveTechnicianPassRequestTarget', () => {
  it.each([controller.local_url!, controller.local_address!])('accepts the reported address %s', origin => {
    expect(target(origin)).toEqual({ kind: 'ready', organizationId: 'org_2', controller, origin });
  });

  it.each([
    'https://evil.example',
    'https://192.168.1.66:8443',
    'https://192.168.1.20:8443/',
    'https://192.168.1.20:8443@evil.example',
    'http://192.168.1.20:8443',
    'javascript:alert(1)',
    'null',
  ])('rejects the address %s', origin => {
    const origins = [controller.local_url, controller.local_address];
    expect(target(origin)).toEqual({ kind: 'unknown_address', controller, origins });
  });

  it('rejects a controller that the technician has no access to', () => {
    expect(target(controller.local_url!, 'dev_2')).toEqual({ kind: 'unknown_controller' });
  });
});
