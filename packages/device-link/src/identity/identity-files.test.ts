import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadOrCreateDeviceKeys } from './device-keys.ts';
import { loadOrCreateHardwareId } from './hardware-id.ts';
import { IdentityError } from './identity-error.ts';
import { type DeviceEnrollment, EnrollmentFile } from './device-enrollment.ts';

let folder: string;
let identity: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-identity-'));
  identity = join(folder, 'identity');
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const file = (name: string): string => join(identity, name);
const plant = (name: string, text: string): void => {
  mkdirSync(identity, { recursive: true });
  writeFileSync(file(name), text, { mode: 0o600 });
};

describe('identity files', () => {
  describe('device keys', () => {
    it('are created at the first start, private to their owner, and then stay the same', () => {
      const keys = loadOrCreateDeviceKeys(folder);
      expect([modeOf(identity), modeOf(file('key.pem'))]).toEqual([0o700, 0o600]);
      expect(loadOrCreateDeviceKeys(folder).publicKey).toBe(keys.publicKey);
      expect(readdirSync(identity)).toEqual(['key.pem']);
    });

    it('create signatures that the public key verifies, and a certificate request for it', async () => {
      const keys = loadOrCreateDeviceKeys(folder);
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: keys.publicKey }, format: 'jwk' });
      const said = Buffer.from('said');
      expect(verify(null, said, key, keys.sign(said))).toBe(true);
      const request = new Pkcs10CertificateRequest(await keys.certificateRequest());
      expect(await request.verify()).toBe(true);
      expect(Buffer.from(request.publicKey.rawData).subarray(-32).toString('base64url')).toBe(keys.publicKey);
    });

    it('are neither replaced when damaged nor used when others can read them', () => {
      plant('key.pem', 'nonsense');
      expect(() => loadOrCreateDeviceKeys(folder)).toThrow(IdentityError);
      expect(readFileSync(file('key.pem'), 'utf8')).toBe('nonsense');
      rmSync(file('key.pem'));
      loadOrCreateDeviceKeys(folder);
      chmodSync(file('key.pem'), 0o644);
      expect(() => loadOrCreateDeviceKeys(folder)).toThrow(/key\.pem must be readable by its owner only/);
    });

    it('are not replaced when they are missing beside an enrollment, except by a new claim', () => {
      plant('membership.json', '{}');
      expect(() => loadOrCreateDeviceKeys(folder)).toThrow(
        /key\.pem is missing, but .*membership\.json shows that the device/,
      );
      expect(readdirSync(identity)).toEqual(['membership.json']);
      const { publicKey } = loadOrCreateDeviceKeys(folder, 'claim');
      expect(loadOrCreateDeviceKeys(folder).publicKey).toBe(publicKey);
    });

    it('that cannot be written fail with a named error', () => {
      writeFileSync(identity, 'a file where the folder should be');
      expect(() => loadOrCreateDeviceKeys(folder)).toThrow(IdentityError);
    });
  });

  describe('hardware id', () => {
    it('is created once', () => {
      const id = loadOrCreateHardwareId(folder, 1_790_000_000_000, randomBytes);
      expect(id).toMatch(/^hw_[0-9a-z]{26}$/);
      expect(loadOrCreateHardwareId(folder, 0, randomBytes)).toBe(id);
    });

    it('is not replaced when the file is damaged', () => {
      plant('hardware-id', 'dev_1');
      expect(() => loadOrCreateHardwareId(folder, 0, randomBytes)).toThrow(/hardware-id is damaged/);
    });
  });

  describe('enrollment', () => {
    const enrollment = {
      v: 1,
      device_id: 'dev_1',
      organization_id: 'org_1',
      site_id: 'site_1',
      product_id: null,
      organization_key: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg',
      bridge_url: 'https://doors.example.test',
      ca_fingerprint: null,
      serial: '01a7',
      certificate: 'PEM',
      ca_certificate: 'PEM',
      renew_after: 1,
      expires_at: 2,
      brokers: { mqtts: 'mqtts://doors.example.test', mqtt: null },
    } as unknown as DeviceEnrollment;

    it('is absent before the claim, then as saved, and absent after removal', () => {
      const kept = new EnrollmentFile(folder);
      expect(kept.read()).toEqual({ ok: true, value: null });
      kept.write(enrollment);
      expect(modeOf(file('membership.json'))).toBe(0o600);
      expect(new EnrollmentFile(folder).read()).toEqual({ ok: true, value: enrollment });
      kept.remove();
      expect(kept.read()).toEqual({ ok: true, value: null });
    });

    it.each([
      ['{', 'not valid JSON'],
      ['null', 'object'],
      [JSON.stringify({ ...enrollment, serial: 5 }), 'serial'],
      [JSON.stringify({ ...enrollment, device_id: 'org_1' }), 'device_id'],
      [JSON.stringify({ ...enrollment, surprise: 1 }), 'surprise'],
    ])('that is damaged is reported with file and position, without throwing: %s', (text, place) => {
      plant('membership.json', text);
      const read = new EnrollmentFile(folder).read();
      expect(read.ok).toBe(false);
      const message = read.ok ? '' : read.problems[0]!.message;
      expect(message).toContain('membership.json is damaged');
      expect(message).toContain(place);
    });

    it('is never read as another one after damage', () => {
      new EnrollmentFile(folder).write(enrollment);
      const written = readFileSync(file('membership.json'));
      const misread: number[] = [];
      for (const index of written.keys()) {
        const damaged = Buffer.from(written);
        damaged[index] = damaged[index]! ^ (1 << (index % 8));
        writeFileSync(file('membership.json'), damaged);
        const read = new EnrollmentFile(folder).read();
        if (read.ok && JSON.stringify(read.value) !== JSON.stringify(enrollment)) misread.push(index);
      }
      expect(misread).toEqual([]);
    });

    it('is replaced atomically, also when an earlier attempt left a partial file', () => {
      plant('membership.json.new', 'half');
      chmodSync(file('membership.json.new'), 0o644);
      new EnrollmentFile(folder).write(enrollment);
      expect(modeOf(file('membership.json'))).toBe(0o600);
      expect(readdirSync(identity)).toEqual(['membership.json']);
    });
  });
});
