import { describe, expect, it } from 'vitest';
import { computeConnectionCapacity, readDescriptorLimit } from './connection-capacity.ts';

const GIB = 2 ** 30;

describe('readDescriptorLimit', () => {
  it('reads the soft limit of Linux', () => {
    const limits =
      'Max processes             7823   7823   processes\nMax open files            4096     524288    files\n';
    expect(readDescriptorLimit(() => limits)).toBe(4096);
  });

  it('assumes 1,024 where the system does not tell', () => {
    expect(readDescriptorLimit(() => 'Max open files   unlimited')).toBe(1024);
    expect(
      readDescriptorLimit(() => {
        throw new Error('ENOENT');
      }),
    ).toBe(1024);
  });
});

describe('computeConnectionCapacity', () => {
  it.each([256, 1024, 20_000, 262_144])('leaves a reserve of %i descriptors', descriptors => {
    const { http, mqttLogins, mqttSessions } = computeConnectionCapacity(descriptors, 64 * GIB);
    const used = http.open + mqttLogins.open + mqttSessions;
    expect(descriptors - used).toBeGreaterThanOrEqual(Math.min(1024, descriptors / 4));
    for (const { open, openPerNetwork } of [http, mqttLogins]) {
      expect(openPerNetwork).toBeLessThanOrEqual(Math.ceil(open / 4));
      expect(openPerNetwork).toBeGreaterThan(4);
    }
  });

  it('permits fewer strangers on a small machine', () => {
    const { http, mqttSessions } = computeConnectionCapacity(262_144, GIB);
    expect(http.open * 40 * 1024).toBeLessThanOrEqual(GIB / 8);
    expect(mqttSessions).toBeGreaterThan(200_000);
  });
});
