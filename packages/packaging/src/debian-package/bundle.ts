import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { clone } from './clone.ts';
import { type AddonName, takeAddonsFromPackage } from './native-addons.ts';
import { type TreeEntry, textFile } from './package-tree.ts';

export interface Bundle {
  /** One file a program with its source map, in `program/`. */
  readonly files: readonly TreeEntry[];
  readonly addons: ReadonlySet<AddonName>;
  /** Folders of the npm packages that are inside, from the clone's. */
  readonly packages: readonly string[];
}

/** Packages of the CommonJS kind ask for `require`, which an ECMAScript module has not. */
const BANNER =
  "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);";

const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

const packagesIn = ({ inputs }: Metafile): string[] =>
  [...new Set(Object.keys(inputs).flatMap(input => packageFolder.exec(input)?.[1] ?? []))].sort();

/** Asked for in vain, and done without: colours of a log, faster WebSockets. */
const optional = new Set(['bufferutil', 'supports-color', 'utf-8-validate']);

const isAnswered = (name: string): boolean =>
  name.startsWith('../addons/') || optional.has(name) || process.getBuiltinModule(name) !== undefined;

/** What is neither inside nor beside would be missed at the door only. */
const refuseLooseEnds = ({ outputs }: Metafile, addons: ReadonlySet<AddonName>, wanted: readonly AddonName[]): void => {
  const moved = wanted.filter(name => !addons.has(name));
  if (moved.length > 0) throw new Error(`the loader of ${moved.join(', ')} is not where it was: see native-addons.ts`);
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(one => one.external === true));
  const loose = outside.map(({ path }) => path).filter(path => !isAnswered(path));
  if (loose.length > 0) throw new Error(`nothing in the package answers to ${loose.join(', ')}`);
};

/** Programs by the name that they have in the package. */
export const bundle = async (
  programs: Readonly<Record<string, string>>,
  wanted: readonly AddonName[],
): Promise<Bundle> => {
  const addons = new Set<AddonName>();
  const { outputFiles, metafile } = await build({
    absWorkingDir: clone,
    entryPoints: programs,
    // Nothing is written there; source maps name their sources from here.
    outdir: join(clone, 'program'),
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
    plugins: [takeAddonsFromPackage(addons)],
    logLevel: 'silent',
  });
  refuseLooseEnds(metafile, addons, wanted);
  const files = outputFiles.map(({ path, text }) => textFile(`program/${basename(path)}`, text));
  return { files, addons, packages: packagesIn(metafile) };
};
