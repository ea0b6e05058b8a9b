import { readFileSync } from 'node:fs';
import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import {
  type BrokerLoginProof,
  parseUnverifiedBrokerLoginProof,
  signBrokerLoginProof,
  verifyBrokerLoginProof,
} from './broker-login.ts';
import { createGoldenKey } from './golden-keys.test-support.ts';

const golden: { key_seed: string; login: BrokerLoginProof; text: string } = JSON.parse(
  readFileSync(new URL('../../golden/claiming/broker-login.json', import.meta.url), 'utf8'),
);
const key = createGoldenKey(golden.key_seed);
const { login, text } = golden;

const read = (given: string, device = login.device_id, now: number = login.at): string => {
  const proof = parseUnverifiedBrokerLoginProof(given);
  const result = proof.ok ? verifyBrokerLoginProof(proof.value, device, now, key.verify) : proof;
  return result.ok ? 'read' : result.problems.map(({ code }) => code).join();
};

describe('broker login', () => {
  it('round-trips its golden text', () => {
    expect(signBrokerLoginProof(login, key.sign)).toBe(text);
    expect(read(text)).toBe('read');
    expect(parseUnverifiedBrokerLoginProof(text)).toMatchObject({ value: { content: login } });
  });

  it('is valid for its own device, time and key only', () => {
    expect(read(text, 'dev_other' as DeviceId)).toBe('wrong_device');
    expect(read(text, login.device_id, login.at + 5 * 60_000)).toBe('read');
    expect(read(text, login.device_id, login.at + 5 * 60_000 + 1)).toBe('expired');
    expect(read(text, login.device_id, login.at - 5 * 60_000 - 1)).toBe('expired');
    expect(read(signBrokerLoginProof(login, createGoldenKey('07'.repeat(32)).sign))).toBe('invalid_signature');
  });

  it('rejects any other text', () => {
    for (const given of ['', 'secret', `${text}x`, text.slice(1)]) {
      expect([given, parseUnverifiedBrokerLoginProof(given).ok]).toEqual([given, false]);
      expect(read(given)).not.toBe('read');
    }
  });
});
