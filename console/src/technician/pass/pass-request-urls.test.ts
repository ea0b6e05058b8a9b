import { describe, expect, it } from 'vitest';
import { parseTechnicianPassRequest, buildTechnicianPassRequestUrl } from './pass-request-urls.ts';

describe('pass request', () => {
  const request = { device_id: 'dev_1', public_key: 'BG_-x', return_to: 'https://lintel-7f3a.local:8443' };

  it('reaches the technician page of the bridge', () => {
    for (const bridge of ['https://doors.example.com', 'https://doors.example.com/']) {
      const url = new URL(buildTechnicianPassRequestUrl(bridge, request));
      expect([url.origin, url.pathname]).toEqual(['https://doors.example.com', '/technician']);
      expect(parseTechnicianPassRequest(url.search)).toEqual(request);
    }
  });

  it('is ignored when it is incomplete', () => {
    for (const query of ['', '?device_id=dev_1', '?device_id=dev_1&public_key=&return_to=x'])
      expect(parseTechnicianPassRequest(query)).toBeNull();
  });
});
