import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BootFolderContents } from './boot-folder.ts';
import { firstBootFilesFolder } from './create-sd-card-files.ts';
import * as cloudInit from './cloud-init-hook.ts';
import { type BoardProfileFields, extendBootConfig, usesSerialHeaderPins } from './boot-config.ts';
import * as firstRun from './firstrun-hook.ts';
import { buildKernelCommandLine } from './kernel-arguments.ts';

/** Changed files of the system with their new texts, in the order in which they are written. */
type SystemFiles = readonly (readonly [name: string, text: string])[];

const hookFiles = (boot: BootFolderContents, name: string): SystemFiles => {
  if (boot.mechanism === 'cloud-init')
    return [
      ...(boot.hasMetaData ? [] : [['meta-data', cloudInit.createCloudInitMetaData(name)] as const]),
      ['user-data', cloudInit.addFirstBootCallToCloudInit(boot.userData ?? '')],
    ];
  if (boot.firstRun !== null) return [['firstrun.sh', firstRun.addFirstBootCallToFirstrun(boot.firstRun)]];
  return [['firstrun.sh', readFileSync(join(firstBootFilesFolder, 'firstrun.sh'), 'utf8')]];
};

/** Throws when a file on the card cannot be extended. The kernel command line comes last: it enables the first boot. */
export const buildChangedBootFiles = (
  boot: BootFolderContents,
  profile: BoardProfileFields,
  wifiCountry: string | null,
  name: string,
): SystemFiles => {
  const changes = {
    callsFirstRun: boot.mechanism === 'firstrun',
    freesSerialPins: usesSerialHeaderPins(profile),
    wifiCountry,
  };
  return [
    ['config.txt', extendBootConfig(boot.config, profile)],
    ...hookFiles(boot, name),
    ['cmdline.txt', buildKernelCommandLine(boot.kernelArguments, changes)],
  ];
};
