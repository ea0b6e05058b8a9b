import type { Plugin } from 'esbuild';
import type { DebianArch } from './control-files.ts';

/** npm's word for the processor. */
export const npmArch: Readonly<Record<DebianArch, 'arm64' | 'x64'>> = { arm64: 'arm64', amd64: 'x64' };

interface NativeAddon {
  readonly name: string;
  /** The module that looks for the addon where npm has put it. */
  readonly looksIn: RegExp;
  /** What stands in its place, with the way to the addon's file. */
  readonly instead: (file: string) => string;
}

const addons: readonly NativeAddon[] = [
  {
    name: 'koffi',
    looksIn: /\/koffi\/src\/koffi\/src\/static\.js$/,
    instead: file => `export const loadStatic = () => require('${file}');`,
  },
  {
    name: 'better-sqlite3',
    looksIn: /\/better-sqlite3\/lib\/binding\.js$/,
    instead: file => `exports.getBinding = () => require('${file}');`,
  },
  {
    name: 'serialport',
    looksIn: /\/@serialport\/bindings-cpp\/dist\/serialport-bindings\.js$/,
    instead: file => `exports.binding = require('${file}');`,
  },
];

export type AddonName = string;

/** Where a bundled program finds an addon, from its own folder. */
const besideProgram = (name: AddonName): string => `../addons/${name}.node`;

/** Makes bundled programs take their addons from the package, and remembers which they take. */
export const takeAddonsFromPackage = (taken: Set<AddonName>): Plugin => ({
  name: 'addons',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/addons\/.*\.node$/ }, ({ path }) => ({ path, external: true }));
    for (const { name, looksIn, instead } of addons) {
      build.onLoad({ filter: looksIn }, () => {
        taken.add(name);
        return { contents: instead(besideProgram(name)), loader: 'js' };
      });
    }
  },
});
