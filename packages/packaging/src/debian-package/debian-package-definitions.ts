import type { DebianPackageMetadata } from './control-files.ts';
import type { NativeAddonName } from './native-addon-bundler-plugin.ts';

export type ProgramName = 'controller' | 'gateway' | 'bridge';

export interface DebianPackageDefinition
  extends Pick<DebianPackageMetadata, 'name' | 'summary' | 'description' | 'depends' | 'recommends'> {
  /** Source files by the name of the bundled program. The first is the command. */
  readonly bundled: Readonly<Record<string, string>>;
  readonly addons: readonly NativeAddonName[];
  /** Name in its releases. */
  readonly program: ProgramName;
  /** Included profiles. */
  readonly profiles: RegExp;
  /** Included files of the web pages; null for none. */
  readonly pages: RegExp | null;
  /** Files of the repository that the program expects in its own folder. */
  readonly besideProgram: readonly string[];
  /** Included folders of the repository by their place in the package. */
  readonly folders: Readonly<Record<string, string>>;
  /** Contains `root/`, which is installed as it is, and `debian/`, the scripts of dpkg. */
  readonly folder: string;
  readonly versionFrom: string;
}

/** Libraries that Node and the addons are linked against. */
const libraries = ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6', 'adduser'];

export const debianPackagesByProgram: Readonly<Record<ProgramName, DebianPackageDefinition>> = {
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
    recommends: ['pcscd', 'libccid', 'polkitd', 'bluez'],
    bundled: {
      'lintel-controller': 'cli/src/lintel-controller.ts',
      'pcsc-process': 'packages/drivers/src/pcsc/pcsc-process.ts',
      launcher: 'packages/updates/src/launcher.ts',
    },
    addons: ['better-sqlite3', 'koffi', 'serialport'],
    profiles: /./,
    pages: /^technician\.html$/,
    besideProgram: [],
    folders: {},
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
    pages: null,
    besideProgram: [],
    folders: {},
    folder: 'packages/packaging/files/gateway',
    versionFrom: 'gateway/package.json',
  },
  bridge: {
    program: 'bridge',
    name: 'lintel-bridge',
    summary: 'cloud bridge: access control API, console and sync of door controllers',
    description: [
      'Serves the Access Control Service API, the web console and the guest page, and',
      'keeps door controllers up to date. Stores its data in SQLite or PostgreSQL.',
      '',
      'Includes Node.js and everything it needs except the system libraries.',
    ],
    depends: libraries,
    recommends: [],
    bundled: { 'lintel-bridge': 'cli/src/lintel-bridge.ts' },
    addons: ['argon2', 'better-sqlite3'],
    profiles: /./,
    pages: /^(?:admin|guest|technician)\.html$|^(?:assets|guest)\//,
    besideProgram: [
      'cloud-bridge/src/pages/style.css',
      'cloud-bridge/src/pages/passkeys.js',
      'cloud-bridge/src/pages/show-password.js',
      'cloud-bridge/src/documentation/page/docs-page.css',
      'cloud-bridge/src/documentation/page/docs-page.js',
    ],
    folders: {
      'api-examples/rest': 'packages/wire-protocol/golden/rest',
      'api-examples/admin': 'packages/wire-protocol/golden/admin',
    },
    folder: 'packages/packaging/files/bridge',
    versionFrom: 'cloud-bridge/package.json',
  },
};
