import type { Plugin } from 'esbuild';
import type { DebianArch } from './control-files.ts';

/** npm's name of the architecture. */
export const npmArchitectures: Readonly<Record<DebianArch, 'arm64' | 'x64'>> = { arm64: 'arm64', amd64: 'x64' };

interface NativeAddon {
  readonly name: string;
  /** The module that loads the addon from where npm installs it. */
  readonly loader: RegExp;
  /** Replaces that module. */
  readonly replacement: (file: string) => string;
}

const addons: readonly NativeAddon[] = [
  {
    name: 'koffi',
    loader: /\/koffi\/src\/koffi\/src\/static\.js$/,
    replacement: file => `export const loadStatic = () => require('${file}');`,
  },
  {
    name: 'better-sqlite3',
    loader: /\/better-sqlite3\/lib\/binding\.js$/,
    replacement: file => `exports.getBinding = () => require('${file}');`,
  },
  {
    name: 'serialport',
    loader: /\/@serialport\/bindings-cpp\/dist\/serialport-bindings\.js$/,
    replacement: file => `exports.binding = require('${file}');`,
  },
  {
    name: 'argon2',
    loader: /\/@node-rs\/argon2\/index\.js$/,
    replacement: file => `module.exports = require('${file}');`,
  },
];

export type NativeAddonName = string;

/** Path of an addon relative to the bundled program. */
const addonPath = (name: NativeAddonName): string => `../addons/${name}.node`;

/** Makes bundled programs load their addons from the package, and adds the names of those to `taken`. */
export const createNativeAddonPlugin = (taken: Set<NativeAddonName>): Plugin => ({
  name: 'addons',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/addons\/.*\.node$/ }, ({ path }) => ({ path, external: true }));
    for (const { name, loader, replacement } of addons) {
      build.onLoad({ filter: loader }, () => {
        taken.add(name);
        return { contents: replacement(addonPath(name)), loader: 'js' };
      });
    }
  },
});
