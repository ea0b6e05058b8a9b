import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ProgramBundle } from './bundle-program.ts';
import { repositoryRoot } from './repository-root.ts';
import type { DebianArch } from './control-files.ts';
import { createCopyrightText } from './create-copyright-text.ts';
import { type NativeAddonName, npmArchitectures } from './native-addon-bundler-plugin.ts';
import { type DebianPackageTree, createDebianPackageTextEntry, type DebianPackageEntry } from './package-tree.ts';
import { loadNpmPackageFiles } from './download-locked-npm-packages.ts';
import type { ProgramName, DebianPackageDefinition } from './debian-package-definitions.ts';
import { readReleaseKeyFiles } from './release-key-files.ts';
import { prefixPackagePaths, readFolderAsPackageTree, readRepositoryFolder } from './read-folder-as-package-tree.ts';

interface Contents {
  readonly parts: DebianPackageDefinition;
  readonly arch: DebianArch;
  readonly version: string;
  readonly bundled: ProgramBundle;
  /** Folder of the public keys whose releases the program accepts. */
  readonly releaseKeys: string | null;
}

/** Works through a link and from any folder, because an update runs it from another one. */
const launcher = (name: string): string => `#!/bin/sh
home=$(dirname "$(readlink -f "$0")")
exec "$home/bin/node" --enable-source-maps "$home/program/${name}.js" "$@"
`;

const readFromRepository = (path: string): Buffer => readFileSync(join(repositoryRoot, path));

/** Prebuilt by their authors, for glibc. */
const addonSources: Readonly<Record<NativeAddonName, (arch: DebianArch) => Promise<Uint8Array>>> = {
  'better-sqlite3': async arch =>
    readFromRepository(`node_modules/better-sqlite3/prebuilds/linux-${npmArchitectures[arch]}.node`),
  koffi: async arch => {
    const [addon] = await loadNpmPackageFiles(`@koromix/koffi-linux-${npmArchitectures[arch]}`, [
      `linux_${npmArchitectures[arch]}/koffi.node`,
    ]);
    return addon!;
  },
  argon2: async arch => {
    const npmArch = npmArchitectures[arch];
    const [addon] = await loadNpmPackageFiles(`@node-rs/argon2-linux-${npmArch}-gnu`, [
      `argon2.linux-${npmArch}-gnu.node`,
    ]);
    return addon!;
  },
  serialport: async arch => {
    const variant = arch === 'arm64' ? 'armv8.glibc' : 'glibc';
    const folder = `node_modules/@serialport/bindings-cpp/prebuilds/linux-${npmArchitectures[arch]}`;
    return readFromRepository(`${folder}/@serialport+bindings-cpp.${variant}.node`);
  },
};

const addonFiles = (names: Iterable<NativeAddonName>, arch: DebianArch): Promise<DebianPackageEntry[]> =>
  Promise.all(
    [...names].map(async name => {
      const source = addonSources[name];
      if (source === undefined) throw new Error(`Unknown addon: ${name}`);
      return { path: `addons/${name}.node`, mode: 0o644 as const, content: await source(arch) };
    }),
  );

/** Built in a folder of its own, because existing pages may be older than their sources. */
const pageFiles = async (wanted: RegExp | null): Promise<DebianPackageTree> => {
  if (wanted === null) return [];
  const folder = mkdtempSync(join(tmpdir(), 'lintel-pages-'));
  try {
    await promisify(execFile)(process.execPath, [join(repositoryRoot, 'console/build.ts'), folder]);
    return prefixPackagePaths(
      'pages',
      readFolderAsPackageTree(folder).filter(({ path }) => wanted.test(path)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Files that the program reads from its own folder. */
const readBesideProgram = (paths: readonly string[]): DebianPackageTree =>
  paths.map(path => ({ path: `program/${basename(path)}`, mode: 0o644, content: readFromRepository(path) }));

const profileFiles = (wanted: RegExp): DebianPackageTree =>
  prefixPackagePaths(
    'profiles',
    readRepositoryFolder('hardware-profiles/profiles').filter(({ path }) => wanted.test(path)),
  );

export const keyFiles = (folder: string | null, program: ProgramName): DebianPackageTree =>
  // The bridge is updated by apt, not by signed releases.
  folder === null || program === 'bridge'
    ? []
    : readReleaseKeyFiles(folder, program).map(({ path, text }) => createDebianPackageTextEntry(path, text));

/** Everything that is installed. The program's folder is self-contained and runs from any place. */
export const buildDebianPackageTree = async ({
  parts,
  arch,
  version,
  bundled,
  releaseKeys,
}: Contents): Promise<DebianPackageTree> => {
  const { name } = parts;
  const [node, nodeLicence] = await loadNpmPackageFiles(`node-linux-${npmArchitectures[arch]}`, [
    'bin/node',
    'LICENSE',
  ]);
  const program: DebianPackageTree = [
    createDebianPackageTextEntry(name, launcher(name), 0o755),
    { path: 'bin/node', mode: 0o755, content: node! },
    createDebianPackageTextEntry('package.json', `${JSON.stringify({ name, version, type: 'module' })}\n`),
    createDebianPackageTextEntry(
      'release.json',
      `${JSON.stringify({ program: parts.program, version, arch, entry: name })}\n`,
    ),
    ...bundled.files,
    ...(await addonFiles(bundled.addons, arch)),
    ...profileFiles(parts.profiles),
    ...(await pageFiles(parts.pages)),
    ...readBesideProgram(parts.besideProgram),
    ...Object.entries(parts.folders).flatMap(([place, folder]) =>
      prefixPackagePaths(place, readRepositoryFolder(folder)),
    ),
  ];
  return [
    ...prefixPackagePaths(`usr/lib/${name}`, program),
    { path: `usr/bin/${name}`, target: `../lib/${name}/${name}` },
    ...readRepositoryFolder(`${parts.folder}/root`),
    ...keyFiles(releaseKeys, parts.program),
    createDebianPackageTextEntry(`usr/share/doc/${name}/copyright`, createCopyrightText(bundled.packages)),
    { path: `usr/share/doc/${name}/LICENSE.node`, mode: 0o644, content: nodeLicence! },
  ];
};
