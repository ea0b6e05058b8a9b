import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { accountFiles } from './accounts.ts';
import { enabledUnits } from './enabled-units.ts';
import { filesBelow } from './files-below.ts';
import { isModuleKept } from './kernel-modules.ts';
import { firstBootFiles, isFileLeftOut, leftOutOfRoot, rootFiles, rootFolders, rootLinks } from './root-files.ts';
import type { RootPlan } from './root-plan.ts';
import { runProgram } from './run-program.ts';

const EXECUTABLE = 0o111;

const write = (root: string, path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
};

const link = (root: string, path: string, target: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  rmSync(join(root, path), { recursive: true, force: true });
  symlinkSync(target, join(root, path));
};

/** Whatever the modes of a checkout are, in the image they are the usual ones. */
const layOver = (root: string, folder: string): void => {
  cpSync(folder, root, { recursive: true, verbatimSymlinks: true });
  for (const path of filesBelow(folder)) {
    const { mode } = lstatSync(join(folder, path));
    if (!lstatSync(join(folder, path)).isSymbolicLink())
      chmodSync(join(root, path), (mode & EXECUTABLE) === 0 ? 0o644 : 0o755);
  }
};

const archivesOf = (root: string): readonly string[] => {
  const folder = join(root, 'var/cache/apt/archives');
  return readdirSync(folder)
    .filter(name => name.endsWith('.deb'))
    .toSorted()
    .map(name => join(folder, name));
};

/** What is inside, for `dpkg -l` on the controller and for who asks what an image is made of. */
const recordPackages = async (root: string, own: string): Promise<readonly string[]> => {
  const names: string[] = [];
  let status = '';
  for (const file of [...archivesOf(root), own]) {
    const fields = (await runProgram('dpkg-deb', ['--field', file])).toString().trim();
    const [name, version] = ['Package', 'Version'].map(key => new RegExp(`^${key}: (.*)$`, 'm').exec(fields)?.[1]);
    names.push(`${name} ${version}`);
    status += `${fields.replace(/^(Package: .*)$/m, '$1\nStatus: install ok installed')}\n\n`;
  }
  write(root, 'var/lib/dpkg/status', status);
  return names;
};

const makeAccounts = (root: string): void => {
  const folder = join(root, 'usr/lib/sysusers.d');
  const declarations = readdirSync(folder)
    .toSorted()
    .map(name => readFileSync(join(folder, name), 'utf8'));
  const master = (name: string) => readFileSync(join(root, 'usr/share/base-passwd', `${name}.master`), 'utf8');
  const files = accountFiles({ passwd: master('passwd'), group: master('group') }, declarations);
  write(root, 'etc/passwd', files.passwd);
  write(root, 'etc/group', files.group);
  write(root, 'etc/shadow', files.shadow, 0o600);
  write(root, 'etc/gshadow', files.gshadow, 0o600);
};

export const kernelVersionOf = (root: string): string => {
  const [version, ...others] = readdirSync(join(root, 'usr/lib/modules'));
  if (version === undefined || others.length > 0) throw new Error('the image must have one kernel');
  return version;
};

const trimModules = async (root: string, plan: RootPlan): Promise<void> => {
  const version = kernelVersionOf(root);
  const folder = join(root, 'usr/lib/modules', version);
  for (const path of filesBelow(folder)) {
    if (path.startsWith('kernel/') && !isModuleKept(path, plan.architecture)) rmSync(join(folder, path));
  }
  await runProgram('depmod', ['--basedir', join(root, 'usr'), version]);
};

const trim = (root: string): void => {
  for (const path of leftOutOfRoot) rmSync(join(root, path), { recursive: true, force: true });
  for (const area of ['usr/lib/firmware', 'usr/share/doc']) {
    if (!existsSync(join(root, area))) continue;
    for (const path of filesBelow(join(root, area))) {
      if (isFileLeftOut(`${area}/${path}`)) rmSync(join(root, area, path));
    }
  }
  for (const name of readdirSync(join(root, 'usr/lib'))) {
    if (name.startsWith('linux-image-')) rmSync(join(root, 'usr/lib', name), { recursive: true });
  }
};

/** From unpacked packages to a system that starts. Answers what is in it. */
export const finishRoot = async (root: string, plan: RootPlan): Promise<readonly string[]> => {
  const packages = await recordPackages(root, plan.packageFile);
  await runProgram('dpkg-deb', ['--extract', plan.packageFile, root]);
  for (const path of rootFolders) mkdirSync(join(root, path), { recursive: true });
  layOver(root, join(plan.systemDir, 'root'));
  for (const { path, text, mode } of rootFiles(plan)) write(root, path, text, mode);
  for (const [path, target] of rootLinks) link(root, path, target);
  cpSync(plan.seedDir, join(root, 'usr/share/lintel-image/seed'), { recursive: true });
  for (const { from, to } of firstBootFiles) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(join(plan.systemDir, '../first-boot', from), join(root, to));
  }
  const extra = ['lintel-controller.service', 'lintel-hotspot.service'];
  for (const { path, target } of enabledUnits({ hasSsh: plan.sshKey !== null, extra }))
    link(root, `etc/systemd/system/${path}`, target);
  if (plan.overlay !== null) layOver(root, plan.overlay);
  makeAccounts(root);
  await trimModules(root, plan);
  return packages;
};

/** After the boot partition has been filled from it. */
export const slimRoot = (root: string): void => {
  trim(root);
  mkdirSync(join(root, 'boot/firmware'), { recursive: true });
};
