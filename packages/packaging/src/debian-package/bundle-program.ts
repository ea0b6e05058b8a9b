import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { repositoryRoot } from './repository-root.ts';
import { type NativeAddonName, createNativeAddonPlugin } from './native-addon-bundler-plugin.ts';
import { type DebianPackageEntry, createDebianPackageTextEntry } from './package-tree.ts';

export interface ProgramBundle {
  /** One file per program with its source map, in `program/`. */
  readonly files: readonly DebianPackageEntry[];
  readonly addons: ReadonlySet<NativeAddonName>;
  /** Folders of the bundled npm packages, relative to the repository. */
  readonly packages: readonly string[];
}

/** CommonJS packages need `require`, which ECMAScript modules lack. */
const BANNER =
  "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);";

const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

const packagesIn = ({ inputs }: Metafile): string[] =>
  [...new Set(Object.keys(inputs).flatMap(input => packageFolder.exec(input)?.[1] ?? []))].sort();

/** Optional dependencies that are not installed: colors of a log, faster WebSockets, a native PostgreSQL client. */
const optional = new Set(['bufferutil', 'pg-native', 'supports-color', 'utf-8-validate']);

/** Required on first use only, and never used: D-Bus through the output of a command. */
const unused = ['event-stream'];

const isAvailable = (name: string): boolean =>
  name.startsWith('../addons/') ||
  optional.has(name) ||
  unused.includes(name) ||
  process.getBuiltinModule(name) !== undefined;

/** A missing module would otherwise be noticed only on the controller. */
const checkImports = (
  { outputs }: Metafile,
  addons: ReadonlySet<NativeAddonName>,
  wanted: readonly NativeAddonName[],
): void => {
  const moved = wanted.filter(name => !addons.has(name));
  if (moved.length > 0)
    throw new Error(`The loader of ${moved.join(', ')} has moved: see native-addon-bundler-plugin.ts`);
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(one => one.external === true));
  const unresolved = outside.map(({ path }) => path).filter(path => !isAvailable(path));
  if (unresolved.length > 0) throw new Error(`The package lacks ${unresolved.join(', ')}`);
};

/** `programs` are source files by the name that they have in the package. */
export const bundleProgram = async (
  programs: Readonly<Record<string, string>>,
  wanted: readonly NativeAddonName[],
): Promise<ProgramBundle> => {
  const addons = new Set<NativeAddonName>();
  const { outputFiles, metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: programs,
    // Nothing is written there. Source maps name their sources relative to it.
    outdir: join(repositoryRoot, 'program'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    charset: 'utf8',
    sourcemap: 'linked',
    sourcesContent: false,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: BANNER },
    external: unused,
    plugins: [createNativeAddonPlugin(addons)],
    logLevel: 'silent',
  });
  checkImports(metafile, addons, wanted);
  const files = outputFiles.map(({ path, text }) => createDebianPackageTextEntry(`program/${basename(path)}`, text));
  return { files, addons, packages: packagesIn(metafile) };
};
