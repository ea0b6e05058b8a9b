import type { PackageMetadata } from './control-files.ts';
import type { AddonName } from './native-addons.ts';

export type ProgramName = 'controller' | 'gateway';

export interface ProgramPackage
  extends Pick<PackageMetadata, 'name' | 'summary' | 'description' | 'depends' | 'recommends'> {
  /** Source files by the name of the bundled program. The first is the command. */
  readonly bundled: Readonly<Record<string, string>>;
  readonly addons: readonly AddonName[];
  /** Name in its releases. */
  readonly program: ProgramName;
  /** Included profiles. */
  readonly profiles: RegExp;
  readonly pages: readonly string[];
  /** Contains `root/`, which is installed as it is, and `debian/`, the scripts of dpkg. */
  readonly folder: string;
  readonly versionFrom: string;
}

/** Libraries that Node and the addons are linked against. */
const libraries = ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6', 'adduser'];

export const programPackages: Readonly<Record<ProgramName, ProgramPackage>> = {
  controller: {
    program: 'controller',
    name: 'lintel-controller',
    summary: 'door controller: keypads, card readers and relays',
    description: [
      'Opens doors for PINs, cards and phones from its local data, with or without a',
      'network, and reports events to a Lintel bridge when it is online.',
      '',
      'Includes Node.js and everything it needs except the system libraries.',
    ],
    depends: [...libraries, 'libpcsclite1', 'udev'],
    recommends: ['pcscd', 'libccid', 'polkitd'],
    bundled: {
      'lintel-controller': 'cli/src/lintel-controller.ts',
      'pcsc-process': 'packages/drivers/src/readers/pcsc/pcsc-process.ts',
      launcher: 'packages/updates/src/launcher.ts',
    },
    addons: ['better-sqlite3', 'koffi', 'serialport'],
    profiles: /./,
    pages: ['technician.html'],
    folder: 'packages/packaging/files/controller',
    versionFrom: 'device-runtime/package.json',
  },
  gateway: {
    program: 'gateway',
    name: 'lintel-gateway',
    summary: "gateway of a site's door controllers",
    description: [
      'Connects door controllers to a Lintel bridge and to one another, and stores',
      'their events while it is offline.',
      '',
      'Includes Node.js and everything it needs except the system libraries.',
    ],
    depends: libraries,
    recommends: [],
    bundled: { 'lintel-gateway': 'cli/src/lintel-gateway.ts', launcher: 'packages/updates/src/launcher.ts' },
    addons: ['better-sqlite3'],
    profiles: /^gateway\.json$/,
    pages: [],
    folder: 'packages/packaging/files/gateway',
    versionFrom: 'gateway/package.json',
  },
};
