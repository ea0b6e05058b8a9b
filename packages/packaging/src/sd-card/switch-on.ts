import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { BootFolder } from './boot-folder.ts';
import { firstBootFolder } from './card-contents.ts';
import { writeWhole } from './card-files.ts';
import * as cloudInit from './cloud-init-hook.ts';
import { firmwareConfig, usesSerialPins } from './firmware-config.ts';
import * as firstRun from './firstrun-hook.ts';
import { kernelLine } from './kernel-line.ts';

/** Files of the system that are changed, with their whole new text, in the order in which they are written. */
export type SystemFiles = ReadonlyArray<readonly [name: string, text: string]>;

const hookOf = (boot: BootFolder, name: string): SystemFiles => {
  if (boot.mechanism === 'cloud-init')
    return [
      ...(boot.hasMetaData ? [] : [['meta-data', cloudInit.metaData(name)] as const]),
      ['user-data', cloudInit.withFirstBootCall(boot.userData ?? '')],
    ];
  const ours = (): string => readFileSync(join(firstBootFolder, 'firstrun.sh'), 'utf8');
  return [['firstrun.sh', boot.firstRun === null ? ours() : firstRun.withFirstBootCall(boot.firstRun)]];
};

/** Throws where what is on the card cannot be added to. */
export const systemFiles = (
  boot: BootFolder,
  profile: Pick<Profile, 'buses'>,
  wifiCountry: string | null,
  name: string,
): SystemFiles => [
  ['config.txt', firmwareConfig(boot.config, profile)],
  ...hookOf(boot, name),
  [
    'cmdline.txt',
    kernelLine(boot.kernelWords, {
      callsFirstRun: boot.mechanism === 'firstrun',
      freesSerialPins: usesSerialPins(profile),
      wifiCountry,
    }),
  ],
];

export const switchOn = (path: string, files: SystemFiles): void => {
  for (const [name, text] of files) writeWhole(join(path, name), text);
};
