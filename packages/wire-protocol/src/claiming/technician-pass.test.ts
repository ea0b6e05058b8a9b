import { readFileSync } from 'node:fs';
import type { DeviceId, OrganizationId, SiteId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import {
  signTechnicianPass,
  MAX_TECHNICIAN_PASS_LIFETIME_MS,
  type TechnicianPassExpectation,
  readVerifiedTechnicianPass,
  type TechnicianPass,
} from './technician-pass.ts';
import { readUnverifiedTechnicianPass } from '../technician/unverified-technician-pass.ts';
import { createGoldenKey } from './golden-keys.test-support.ts';

const golden: { key_seed: string; pass: TechnicianPass; text: string } = JSON.parse(
  readFileSync(new URL('../../golden/claiming/technician-pass.json', import.meta.url), 'utf8'),
);
const key = createGoldenKey(golden.key_seed);
const { pass, text } = golden;
const { organization_id, site_id } = pass;
const device_id = 'dev_here' as DeviceId;
const here: TechnicianPassExpectation = { organization_id, site_id, device_id, now: pass.issued_at };

const read = (given: string, change: Partial<TechnicianPassExpectation> = {}): string => {
  const result = readVerifiedTechnicianPass(given, { ...here, ...change }, key.verify);
  return result.ok ? 'read' : result.problems.map(({ code }) => code).join();
};
const written = (change: Partial<TechnicianPass>): string => signTechnicianPass({ ...pass, ...change }, key.sign);

describe('technician pass', () => {
  it('round-trips its golden text', () => {
    expect(written({})).toBe(text);
    expect(readVerifiedTechnicianPass(text, here, key.verify)).toEqual({ ok: true, value: pass });
  });

  it('is valid at its own site and organization only', () => {
    expect(read(text, { site_id: 'site_other' as SiteId })).toBe('wrong_site');
    expect(read(text, { organization_id: 'org_other' as OrganizationId })).toBe('wrong_site');
  });

  it('is valid at one controller only when it names one', () => {
    expect(read(written({ device_id }))).toBe('read');
    expect(read(written({ device_id: 'dev_other' as DeviceId }))).toBe('wrong_device');
  });

  it('is rejected without the key of the technician', () => {
    expect(read(written({ public_key: undefined as never }))).not.toBe('read');
    expect(read(written({ public_key: 'x'.repeat(87) }))).not.toBe('read');
  });

  it('tells its holder what it contains', () => {
    const { id, public_key, expires_at } = pass;
    expect(readUnverifiedTechnicianPass(` ${text}\n`)).toEqual({ id, public_key, expires_at });
    for (const other of ['', 'nonsense', 'a.b', `${btoa('null')}.x`, `${btoa('{"id":7}')}.x`])
      expect(readUnverifiedTechnicianPass(other)).toBeNull();
  });

  it('expires after its week and cannot be issued for longer', () => {
    expect(read(text, { now: pass.expires_at - 1 })).toBe('read');
    expect(read(text, { now: pass.expires_at })).toBe('expired');
    const expires_at = (pass.issued_at + MAX_TECHNICIAN_PASS_LIFETIME_MS + 1) as TechnicianPass['expires_at'];
    expect(read(written({ expires_at }))).toBe('too_long');
  });

  it('is rejected before its start, except for a small clock difference', () => {
    expect(read(text, { now: pass.issued_at - 3_600_000 })).toBe('read');
    expect(read(text, { now: pass.issued_at - 2 * 86_400_000 })).toBe('not_yet');
  });

  it('is checked against a minimum time when the clock is not trusted', () => {
    const floor = { time_trusted: false } as const;
    expect(read(text, { ...floor, now: pass.issued_at - 90 * 86_400_000 })).toBe('read');
    expect(read(text, { ...floor, now: pass.expires_at })).toBe('expired');
  });

  it('is rejected when another key has signed it', () => {
    expect(read(signTechnicianPass(pass, createGoldenKey('07'.repeat(32)).sign))).toBe('invalid_signature');
  });
});
