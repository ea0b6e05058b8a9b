import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@lintel/access-core/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '@lintel/test/support/manual-timers';
import { CertificateRenewal } from './certificate-renewal.ts';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import { type DeviceEnrollment, EnrollmentFile } from './device-enrollment.ts';

const enrollment = {
  v: 1,
  device_id: 'dev_1',
  organization_id: 'org_1',
  site_id: 'site_1',
  product_id: 'virtual',
  organization_key: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg',
  bridge_url: 'https://doors.example.test',
  ca_fingerprint: null,
  serial: '01',
  certificate: 'PEM',
  ca_certificate: 'PEM',
  renew_after: 1_790_000_000_000,
  expires_at: 1_800_000_000_000,
  brokers: { mqtts: null, mqtt: null },
} as unknown as DeviceEnrollment;
const next = { ...enrollment, serial: '02', renew_after: 1_795_000_000_000 as DeviceEnrollment['renew_after'] };

let folder: string;
let now: number;
let timers: ManualTimers;
let reported: string[];
let isReachable: boolean;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-renewal-'));
  now = enrollment.renew_after;
  timers = new ManualTimers();
  reported = [];
  isReachable = true;
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): EnrollmentFile => new EnrollmentFile(folder);

const renewal = (): CertificateRenewal =>
  new CertificateRenewal({
    enrollmentFile: file(),
    keys: () => ({}) as never,
    now: () => now,
    random: () => 1,
    log: () => undefined,
    onRenewed: ({ serial }) => {
      const read = file().read();
      reported.push(`${serial}, on the disk ${read.ok ? read.value?.serial : 'nothing'}`);
    },
    timers,
    renew: async () => {
      if (!isReachable) throw new ClaimOrRenewalError('no line', false);
      return next;
    },
  });

describe('certificate renewal', () => {
  it('checks every hour and does nothing before the certificate is due', async () => {
    file().write(enrollment);
    now = enrollment.renew_after - 1;
    renewal().start();
    await timers.fire();
    expect([reported, timers.next]).toEqual([[], HOUR_MS]);
    now = enrollment.renew_after;
    await timers.fire();
    expect(reported).toEqual(['02, on the disk 02']);
    await timers.fire();
    expect(reported).toHaveLength(1);
  });

  it('retries at increasing intervals and keeps the current certificate', async () => {
    file().write(enrollment);
    isReachable = false;
    renewal().start();
    const waits: (number | null)[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      await timers.fire();
      waits.push(timers.next);
    }
    expect(waits.slice(0, 3)).toEqual([60_000, 120_000, 240_000]);
    expect(waits.at(-1)).toBe(6 * HOUR_MS);
    expect(file().read()).toEqual({ ok: true, value: enrollment });
    isReachable = true;
    await timers.fire();
    expect(reported).toHaveLength(1);
  });

  it('waits until the device is claimed', async () => {
    renewal().start();
    await timers.fire();
    expect([reported, timers.next]).toEqual([[], HOUR_MS]);
  });

  it('does nothing after it is stopped', async () => {
    file().write(enrollment);
    const one = renewal();
    one.start();
    one.stop();
    expect(timers.next).toBeNull();
    one.checkNow();
    expect(timers.next).toBeNull();
  });
});
