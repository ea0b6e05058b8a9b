import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MasterKeys } from './master-keys.ts';
import { computeBlindIndex, sealSecret, parseSealedKeyVersion, unsealSecret } from './sealing.ts';
import { hashToken, createSecretToken } from './create-and-hash-token.ts';

const root = mkdtempSync(join(tmpdir(), 'lintel-keys-'));
afterAll(() => rmSync(root, { recursive: true }));
let directory: string;
let master: MasterKeys;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'keys-'));
  master = MasterKeys.open(directory);
});
const current = () => master.derivedKeys(master.currentVersion);

describe('seal', () => {
  it('round-trips any text with its context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(unsealSecret(master, sealSecret(current(), plain, context), context)).toBe(plain);
      }),
      { numRuns: 50 },
    );
  });

  it('seals the same text differently each time', () => {
    expect(sealSecret(current(), 'secret', 'row')).not.toBe(sealSecret(current(), 'secret', 'row'));
  });

  it('does not open in another context', () => {
    const sealed = sealSecret(current(), 'secret', 'org_1/member_pin/mp_1');
    expect(() => unsealSecret(master, sealed, 'org_1/member_pin/mp_2')).toThrow();
  });

  it('does not open after any byte was changed', () => {
    const sealed = sealSecret(current(), 'secret', 'row');
    const [version, text] = sealed.split('.') as [string, string];
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => unsealSecret(master, `${version}.${changed.toString('base64url')}`, 'row')).toThrow();
    }
  });

  it.each(['', 'v1.', 'v1', 'v9.AAAA', 'x1.AAAA', 'v1.AAAA'])('does not open %j', sealed => {
    expect(() => unsealSecret(master, sealed, 'row')).toThrow();
  });

  it('contains the version of its key', () => {
    master.addVersion();
    expect(parseSealedKeyVersion(sealSecret(current(), 'secret', 'row'))).toBe(2);
    expect(parseSealedKeyVersion('anything else')).toBeNaN();
  });
});

describe('computeBlindIndex', () => {
  it('is equal for equal values under one key and purpose only', () => {
    const value = computeBlindIndex(current(), 'pin/org_1', '1234');
    expect(computeBlindIndex(current(), 'pin/org_1', '1234')).toBe(value);
    expect(computeBlindIndex(current(), 'pin/org_2', '1234')).not.toBe(value);
    expect(computeBlindIndex(current(), 'pin/org_1', '1235')).not.toBe(value);
    master.addVersion();
    expect(computeBlindIndex(current(), 'pin/org_1', '1234')).not.toBe(value);
  });
});

describe('MasterKeys', () => {
  const file = () => join(directory, 'master-keys.json');

  it('creates a key file that only its owner can read, and reads it again', () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const sealed = sealSecret(current(), 'secret', 'row');
    expect(unsealSecret(MasterKeys.open(directory), sealed, 'row')).toBe('secret');
  });

  it('opens old values after a rotation, and none after their key was removed', () => {
    const sealed = sealSecret(current(), 'secret', 'row');
    expect(master.addVersion()).toBe(2);
    expect([master.currentVersion, master.versions]).toEqual([2, [1, 2]]);
    expect(unsealSecret(master, sealed, 'row')).toBe('secret');
    master.removeVersion(1);
    expect(() => unsealSecret(master, sealed, 'row')).toThrow('Master key 1');
    expect(() => unsealSecret(MasterKeys.open(directory), sealed, 'row')).toThrow('Master key 1');
  });

  it('does not remove the current key', () => {
    expect(() => master.removeVersion(1)).toThrow('current');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toHaveProperty(['keys', '1']);
  });

  it('reads a key that another process has added', () => {
    const other = MasterKeys.open(directory);
    const sealed = sealSecret(other.derivedKeys(other.addVersion()), 'secret', 'row');
    expect(unsealSecret(master, sealed, 'row')).toBe('secret');
    expect(master.currentVersion).toBe(2);
  });

  it('numbers a new key after the highest one, not after the number of keys', () => {
    master.addVersion();
    master.addVersion();
    master.removeVersion(2);
    expect(master.addVersion()).toBe(4);
  });

  it.each(['{}', '{"current":2,"keys":{"1":"AA=="}}', '{"current":"1","keys":{"1":"AA=="}}'])(
    'rejects the key file %s',
    text => {
      writeFileSync(file(), text);
      expect(() => MasterKeys.open(directory)).toThrow('key file');
    },
  );
});

describe('createSecretToken', () => {
  it('has 256 random bits after its prefix', () => {
    const [first, second] = [createSecretToken('whs_'), createSecretToken('whs_')];
    expect(first).toMatch(/^whs_[\w-]{43}$/);
    expect(first).not.toBe(second);
    expect(hashToken(first)).not.toBe(hashToken(second));
  });
});
