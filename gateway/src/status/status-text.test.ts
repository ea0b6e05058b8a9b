import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import type { GatewayStatusDocument } from './status-document-types.ts';
import { formatGatewayStatus } from './status-text.ts';

const status: GatewayStatusDocument = {
  version: '1',
  claimed: true,
  device_id: 'dev_g',
  organization_id: 'org_1',
  site: 'Main',
  site_time_zone: 'Europe/Madrid',
  addresses: { mqtts: 'mqtts://0.0.0.0:8883', status: 'http://127.0.0.1:8884' },
  upstream: { connected: false, url: null, since: '2026-06-01T10:00:00.000Z' },
  clock: { time: '2026-06-01T11:00:00.000Z', trusted: false, source: 'floor' },
  revocations: 0,
  controllers: [
    {
      device_id: 'dev_a',
      name: 'Front',
      connected: true,
      was_connected: true,
      since: '2026-06-01T08:00:00.000Z',
    },
    {
      device_id: 'dev_b',
      name: '',
      connected: false,
      was_connected: true,
      since: null,
    },
    {
      device_id: 'dev_c',
      name: 'Direct',
      connected: false,
      was_connected: false,
      since: null,
    },
  ],
  traffic: { up: 1, down: 2, local: 3, offline: 4, dropped: 6 },
  certificate_expires_at: null,
  faults: [{ code: 'store', since: instant(0), message: 'The disk is full.' }],
};

describe('formatGatewayStatus', () => {
  it('shows link, clock, controllers and faults', () => {
    expect(formatGatewayStatus(status).split('\n')).toEqual([
      'Gateway dev_g of Main',
      'Addresses   mqtts://0.0.0.0:8883, http://127.0.0.1:8884',
      'Link        not connected since 2026-06-01T10:00:00.000Z',
      'Clock       2026-06-01T11:00:00.000Z, not trusted yet (floor)',
      'Messages    1 up, 2 down, 3 within the site, 4 while offline, 6 dropped',
      'Controllers 1 of 3 connected',
      '  Front   connected since 2026-06-01T08:00:00.000Z',
      '  dev_b   disconnected',
      '  Direct  not through this gateway',
      'Fault       The disk is full. (since 1970-01-01T00:00:00.000Z)',
      '',
    ]);
  });

  it('shows that the gateway is unclaimed', () => {
    expect(formatGatewayStatus({ ...status, claimed: false })).toMatch(/^Gateway, not claimed yet\n/);
  });
});
