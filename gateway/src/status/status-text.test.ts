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
  queue: {
    frames: 2,
    bytes: 2048,
    events: 7,
    under_way: 1,
    oldest_at: '2026-06-01T09:00:00.000Z',
    limit_bytes: 1048576,
  },
  revocations: 0,
  controllers: [
    {
      device_id: 'dev_a',
      name: 'Front',
      connected: true,
      was_connected: true,
      since: '2026-06-01T08:00:00.000Z',
      waiting: { frames: 2, bytes: 2048, events: 7 },
    },
    {
      device_id: 'dev_b',
      name: '',
      connected: false,
      was_connected: true,
      since: null,
      waiting: { frames: 0, bytes: 0, events: 0 },
    },
    {
      device_id: 'dev_c',
      name: 'Direct',
      connected: false,
      was_connected: false,
      since: null,
      waiting: { frames: 0, bytes: 0, events: 0 },
    },
  ],
  traffic: { up: 1, down: 2, local: 3, unheard: 4, left: 5, dropped: 6 },
  certificate_expires_at: null,
  faults: [{ code: 'store', since: instant(0), message: 'The disk is full.' }],
};

describe('formatGatewayStatus', () => {
  it('shows link, queue, clock, controllers and faults', () => {
    expect(formatGatewayStatus(status).split('\n')).toEqual([
      'Gateway dev_g of Main',
      'Addresses   mqtts://0.0.0.0:8883, http://127.0.0.1:8884',
      'Link        not connected since 2026-06-01T10:00:00.000Z',
      'Waiting     7 events in 2 messages, 2.0 kB of 1.0 MB, 1 in flight',
      'Oldest      2026-06-01T09:00:00.000Z',
      'Clock       2026-06-01T11:00:00.000Z, not trusted yet (floor)',
      'Messages    1 up, 2 down, 3 within the site, 4 while offline, 5 kept by controllers, 6 dropped',
      'Controllers 1 of 3 connected',
      '  Front   connected since 2026-06-01T08:00:00.000Z, 7 events waiting',
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
