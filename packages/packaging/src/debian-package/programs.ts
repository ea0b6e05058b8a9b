import type { PackageFacts } from './control-files.ts';
import type { AddonName } from './native-addons.ts';

export type ProgramName = 'controller' | 'gateway';

export interface ProgramParts
  extends Pick<PackageFacts, 'name' | 'summary' | 'description' | 'depends' | 'recommends'> {
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

export const programs: Readonly<Record<ProgramName, ProgramParts>> = {
  controller: {
    program: 'controller',
    name: 'lintel-controller',
    summary: 'door controller: keypads, card readers and relays',
    description: [
      'Opens doors for PINs, cards and phones by what it has on its own disk, with or',
      'without a network, and tells a Lintel bridge of it when there is a line.',
      '',
      'Brings its own Node.js and all that it needs beside the system libraries.',
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
      'Controllers reach a Lintel bridge and one another through it, and what they have',
      'to say waits here while the line is down.',
      '',
      'Brings its own Node.js and all that it needs beside the system libraries.',
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
