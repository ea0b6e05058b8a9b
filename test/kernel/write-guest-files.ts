import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDebianPackage, bundleProgram, writeImageInitialData } from '@lintel/packaging/testing';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { HOST_IN_GUEST } from '../image/virtual-machine/guest-network.ts';
import { runTool } from '../image/virtual-machine/run-tool.ts';
import { GUEST_MODULES } from './guest-root-filesystem.ts';
import { EXPANDER_ADDRESS, FIRMWARE_FOLDER, FIRMWARE_USER, PROFILE_PATH } from './virtual-machine-settings.ts';
import { kernelProfile } from './kernel-test-hardware-profile.ts';

const USERS = `root:x:0:0:root:/root:/bin/sh
messagebus:x:100:100::/nonexistent:/usr/sbin/nologin
lintel:x:${FIRMWARE_USER}:${FIRMWARE_USER}::/var/lib/lintel:/usr/sbin/nologin
`;
const GROUPS = `root:x:0:\nmessagebus:x:100:\nlintel:x:${FIRMWARE_USER}:\n`;

interface GuestFilesOptions {
  readonly claim: { readonly bridge: string; readonly code: string; readonly caFingerprint: string };
  /** Port of the host to which the program in the guest connects. */
  readonly agentPort: number;
}

/** The controller package of this checkout with its D-Bus policy, the program of the test, and settings. */
export const writeGuestFiles = async (
  folder: string,
  work: string,
  { claim, agentPort }: GuestFilesOptions,
): Promise<void> => {
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const { file } = await buildDebianPackage({ program: 'controller', arch: 'amd64', outDir: work });
  await runTool('dpkg-deb', '--extract', file, folder);
  const source = 'test/kernel/guest/agent-process.ts';
  const bundle = await bundleProgram({ 'agent-process': source }, ['koffi']);
  for (const entry of bundle.files) if ('content' in entry) write(join(FIRMWARE_FOLDER, entry.path), entry.content);
  mkdirSync(join(folder, 'var/lib'), { recursive: true });
  write(PROFILE_PATH, JSON.stringify(kernelProfile));
  const profile = loadProfile(join(folder, PROFILE_PATH));
  const initialData = { profile, claim, hasLabel: false, now: Date.now() };
  await writeImageInitialData(join(work, 'initial-data'), initialData);
  await runTool('cp', '-a', join(work, 'initial-data/lintel'), join(folder, 'var/lib/lintel'));
  write('etc/passwd', USERS);
  write('etc/group', GROUPS);
  write('etc/modules', GUEST_MODULES.join('\n'));
  write('etc/modprobe.d/i2c-stub.conf', `options i2c-stub chip_addr=${EXPANDER_ADDRESS}\n`);
  write('etc/agent-host', `${HOST_IN_GUEST} ${agentPort}\n`);
  copyFileSync(join(import.meta.dirname, 'guest/init'), join(folder, 'init'));
  chmodSync(join(folder, 'init'), 0o755);
};
