import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageArchitecture } from './parse-image-build-options.ts';
import { imageSystemFilesFolder } from './system-files-folder.ts';

const FOR_ARCHITECTURE: Readonly<Record<ImageArchitecture, readonly string[]>> = {
  arm64: ['linux-image-arm64', 'raspi-firmware', 'firmware-brcm80211'],
  amd64: ['linux-image-amd64'],
};

/** Needed only by installation scripts, which do not run. */
const FOR_SCRIPTS = ['init-system-helpers', 'adduser'];

/** The first alternative of each dependency, without versions. */
const dependenciesIn = (depends: string): readonly string[] =>
  depends
    .split(',')
    .map(dependency => /^\s*([^\s|(]*)/.exec(dependency)?.[1] ?? '')
    .filter(name => name !== '' && !FOR_SCRIPTS.includes(name));

/** Debian packages of the image. `depends` is the field of the controller's package. */
export const listImagePackages = (
  architecture: ImageArchitecture,
  options: { readonly hasSsh: boolean; readonly depends: string },
): readonly string[] => {
  const always = readFileSync(join(imageSystemFilesFolder, 'packages'), 'utf8').trim().split('\n');
  const ssh = options.hasSsh ? ['openssh-server'] : [];
  return [
    ...new Set([...always, ...FOR_ARCHITECTURE[architecture], ...ssh, ...dependenciesIn(options.depends)]),
  ].toSorted();
};
