import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDebianPackage } from '@lintel/packaging/testing';
import { runLintel } from '../../support/processes/lintel-command.ts';
import type { ImageSite } from './bridge-site-on-host.ts';

const made = async (site: ImageSite, from: string, version: string, ...options: readonly string[]): Promise<string> => {
  const out = join(dirname(site.releaseKey), `${version}.release`);
  const call = ['--from', from, '--version', version, '--key', site.releaseKey, '--out', out, ...options];
  const { code, stderr } = await runLintel('release', 'make', ...call);
  if (code !== 0) throw new Error(stderr);
  return out;
};

/** A release of the current program with a later version. */
export const newRelease = async (site: ImageSite, arch: 'arm64' | 'amd64', version: string): Promise<string> => {
  const outDir = join(dirname(site.releaseKey), 'packages');
  return made(site, (await buildDebianPackage({ program: 'controller', arch, outDir, version })).file, version);
};

/** A signed release whose program exits at its start. */
export const brokenRelease = async (site: ImageSite, version: string): Promise<string> => {
  const folder = join(dirname(site.releaseKey), 'broken');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'start'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return made(site, folder, version, '--program', 'controller', '--arch', 'all', '--entry', 'start');
};
