import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bundle } from './bundle.ts';
import { clone } from './clone.ts';
import type { DebianArch } from './control-files.ts';
import { copyrightOf } from './licences.ts';
import { type AddonName, npmArch } from './native-addons.ts';
import { type PackageTree, textFile, type TreeEntry } from './package-tree.ts';
import { payloadFiles } from './payload.ts';
import type { ProgramName, ProgramParts } from './programs.ts';
import { releaseKeyFiles } from './release-key-files.ts';
import { below, filesBelow } from './static-files.ts';

interface Contents {
  readonly parts: ProgramParts;
  readonly arch: DebianArch;
  readonly version: string;
  readonly bundled: Bundle;
  /** Folder of the public keys whose releases it takes. */
  readonly releaseKeys: string | null;
}

/** Where it lies does not matter: it may be called through a link, and from another folder after an update. */
const launcher = (name: string): string => `#!/bin/sh
home=$(dirname "$(readlink -f "$0")")
exec "$home/bin/node" --enable-source-maps "$home/program/${name}.js" "$@"
`;

const fromClone = (path: string): Buffer => readFileSync(join(clone, path));

/** Each as its makers have built it; for the C library of Debian, not for musl. */
const addonSources: Readonly<Record<AddonName, (arch: DebianArch) => Promise<Uint8Array>>> = {
  'better-sqlite3': async arch => fromClone(`node_modules/better-sqlite3/prebuilds/linux-${npmArch[arch]}.node`),
  koffi: async arch => {
    const [addon] = await payloadFiles(`@koromix/koffi-linux-${npmArch[arch]}`, [`linux_${npmArch[arch]}/koffi.node`]);
    return addon!;
  },
  serialport: async arch => {
    const variant = arch === 'arm64' ? 'armv8.glibc' : 'glibc';
    const folder = `node_modules/@serialport/bindings-cpp/prebuilds/linux-${npmArch[arch]}`;
    return fromClone(`${folder}/@serialport+bindings-cpp.${variant}.node`);
  },
};

const addonFiles = (names: Iterable<AddonName>, arch: DebianArch): Promise<TreeEntry[]> =>
  Promise.all(
    [...names].map(async name => {
      const source = addonSources[name];
      if (source === undefined) throw new Error(`no addon is called ${name}`);
      return { path: `addons/${name}.node`, mode: 0o644 as const, content: await source(arch) };
    }),
  );

/** Built anew each time: what lies there may be older than its sources. */
const pageFiles = async (pages: readonly string[]): Promise<PackageTree> => {
  if (pages.length === 0) return [];
  await promisify(execFile)(process.execPath, [join(clone, 'console/build.ts')], { cwd: clone });
  return pages.map(page => ({ path: `pages/${page}`, mode: 0o644, content: fromClone(`console/dist/${page}`) }));
};

const profileFiles = (wanted: RegExp): PackageTree =>
  below(
    'profiles',
    filesBelow('hardware-profiles/profiles').filter(({ path }) => wanted.test(path)),
  );

const keyFiles = (folder: string | null, program: ProgramName): PackageTree =>
  folder === null ? [] : releaseKeyFiles(folder, program).map(({ path, text }) => textFile(path, text));

/** Everything that is installed. The program's own folder is whole in itself, and runs wherever it is put. */
export const packageTree = async ({ parts, arch, version, bundled, releaseKeys }: Contents): Promise<PackageTree> => {
  const { name } = parts;
  const [node, nodeLicence] = await payloadFiles(`node-linux-${npmArch[arch]}`, ['bin/node', 'LICENSE']);
  const program: PackageTree = [
    textFile(name, launcher(name), 0o755),
    { path: 'bin/node', mode: 0o755, content: node! },
    textFile('package.json', `${JSON.stringify({ name, version, type: 'module' })}\n`),
    textFile('release.json', `${JSON.stringify({ program: parts.program, version, arch, entry: name })}\n`),
    ...bundled.files,
    ...(await addonFiles(bundled.addons, arch)),
    ...profileFiles(parts.profiles),
    ...(await pageFiles(parts.pages)),
  ];
  return [
    ...below(`usr/lib/${name}`, program),
    { path: `usr/bin/${name}`, target: `../lib/${name}/${name}` },
    ...filesBelow(`${parts.folder}/root`),
    ...keyFiles(releaseKeys, parts.program),
    textFile(`usr/share/doc/${name}/copyright`, copyrightOf(bundled.packages)),
    { path: `usr/share/doc/${name}/LICENSE.node`, mode: 0o644, content: nodeLicence! },
  ];
};
