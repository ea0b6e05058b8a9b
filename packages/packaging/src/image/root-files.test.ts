import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newReleaseKey, signerOf } from '@lintel/updates/release-files/release-keys';
import { describe, expect, it, onTestFinished } from 'vitest';
import { releaseKeyFiles } from '../debian-package/release-key-files.ts';
import { rootFiles } from './root-files.ts';

describe('root files', () => {
  it('include the release keys where the controller looks for them, whatever the package', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-root-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { publicPem } = signerOf(newReleaseKey());
    writeFileSync(join(folder, 'house.pub'), publicPem);
    writeFileSync(join(folder, 'house'), 'not for the card');
    const files = rootFiles({
      architecture: 'arm64',
      signature: '90613706',
      epoch: 0,
      packageFile: 'given.deb',
      profile: '{}',
      releaseKeys: releaseKeyFiles(folder, 'controller'),
      sshKey: null,
      seedDir: 'seed',
      hostname: 'lintel',
      overlay: null,
      systemDir: 'system',
      dataBytes: 0,
    });
    expect(files.filter(({ path }) => path.includes('release-keys'))).toEqual([
      { path: 'etc/lintel/release-keys/house.pub', text: publicPem },
    ]);
  });
});
