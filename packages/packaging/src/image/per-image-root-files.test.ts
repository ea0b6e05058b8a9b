import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateReleasePrivateKey, createReleaseSigner } from '@lintel/updates/release-files/release-keys';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readReleaseKeyFiles } from '../debian-package/release-key-files.ts';
import { writeImageRootFiles } from './per-image-root-files.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'lintel-root-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const settings = { signature: '90613706', hostname: 'lintel-7f3a', profile: '{}', releaseKeys: [], sshKeys: null };

describe('writeImageRootFiles', () => {
  it('writes the release keys where the controller looks for them', () => {
    const [keys, root] = [folder(), folder()];
    const { publicPem } = createReleaseSigner(generateReleasePrivateKey());
    writeFileSync(join(keys, 'house.pub'), publicPem);
    writeFileSync(join(keys, 'house'), 'not for the card');
    writeImageRootFiles(root, { ...settings, releaseKeys: readReleaseKeyFiles(keys, 'controller') });
    expect(readFileSync(join(root, 'etc/lintel/release-keys/house.pub'), 'utf8')).toBe(publicPem);
    expect(existsSync(join(root, 'etc/lintel/release-keys/house'))).toBe(false);
  });

  it('mounts the boot partition by the signature of the disk', () => {
    const root = folder();
    writeImageRootFiles(root, settings);
    expect(readFileSync(join(root, 'etc/fstab'), 'utf8')).toMatch(/^PARTUUID=90613706-01 \/boot\/firmware vfat ro,/m);
    expect(existsSync(join(root, 'etc/lintel/authorized_keys'))).toBe(false);
  });
});
