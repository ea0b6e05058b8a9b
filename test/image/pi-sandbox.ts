import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, writeFiles } from './sd-card-fixtures.ts';

/** Commands that would change the machine of the test. They are recorded instead. */
const recordedCommands = 'systemctl nmcli rfkill modprobe hostname usermod useradd systemd-sysusers chown dpkg'.split(
  ' ',
);

/**
 * Records the system commands of the first-boot scripts instead of running them. SdCardFiles are real. `date` returns 1970, as on
 * a Pi without a battery-backed clock.
 */
const RECORD_CALL = `printf '%s\\n' "$*" >>"$LINTEL_ROOT/../calls"`;

const replacementCommands: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recordedCommands.map(name => [name, `note ${name} "$@"`])),
  sync: ':',
  date: 'if [ "$1" = +%s ]; then echo 1000; else note date "$@"; fi',
  getent: `if [ "$2" = 1000 ] || [ "$2" = pi ]; then echo 'pi:x:1000:1000:,,,:/home/pi:/bin/bash'; fi`,
};

/** The replacements as shell functions, which are faster than programs, and a simulated power cut. */
const bashEnvironment = `
note() { ${RECORD_CALL}; }
${Object.entries(replacementCommands)
  .map(([name, command]) => `${name}() { ${command}; }`)
  .join('\n')}
steps=0
# Counts only commands that change the disk.
count() {
  # On a Pi this file is in memory.
  case $1 in *'"$said"'*) return 0 ;; esac
  case " cp mv rm rmdir touch dd chown dpkg " in
    *" \${1%% *} "*) ;;
    # Bash normalizes the spaces in BASH_COMMAND.
    *) case $1 in *'> "'*) ;; *) return 0 ;; esac ;;
  esac
  steps=$((steps + 1))
  echo "$steps" >"$LINTEL_ROOT/../steps"
  if [ "$steps" = "\${CUT_AT:-0}" ]; then kill -9 $$; fi
}
set -o functrace
trap 'count "$BASH_COMMAND"' DEBUG
`;

export interface Pi {
  readonly root: string;
  readonly boot: string;
}

/** A copy in the same state. */
export const copyPi = ({ root }: Pi): Pi => {
  const folder = makeTempFolder();
  cpSync(join(root, '..'), folder, { recursive: true, verbatimSymlinks: true });
  return { root: join(folder, 'root'), boot: join(folder, 'root/boot/firmware') };
};

/** A new system with this card. */
export const createPi = (card: string): Pi => {
  const folder = makeTempFolder();
  const root = join(folder, 'root');
  const boot = join(root, 'boot/firmware');
  mkdirSync(boot, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  cpSync(card, boot, { recursive: true });
  writeFiles(root, {
    'etc/hosts': '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n',
    'etc/hostname': 'raspberrypi\n',
    'etc/ssh/sshd_config.d/rename_user.conf': 'Banner /usr/share/userconf-pi/sshd_banner\n',
  });
  mkdirSync(join(root, 'etc/systemd/system'), { recursive: true });
  mkdirSync(join(root, 'home/pi'), { recursive: true });
  writeFileSync(join(folder, 'bashEnvironment'), bashEnvironment);
  for (const [name, command] of Object.entries(replacementCommands))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nnote() { ${RECORD_CALL}; }\n${command}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'calls'), '');
  return { root, boot };
};

interface ScriptResult {
  readonly status: number | string | null;
  readonly output: string;
}

/** Runs a script of the card or the system. The power is cut before disk change number `cutAt`. */
export const runScript = (pi: Pi, script: string, args: readonly string[] = [], cutAt = 0): Promise<ScriptResult> =>
  runWith('bash', pi, [script, ...args], cutAt);

/** Runs a script with `sh`, as the Pi does. */
export const runScriptWithSh = (pi: Pi, script: string): Promise<ScriptResult> => runWith('sh', pi, [script], 0);

const runWith = (
  shell: string,
  { root }: Pi,
  [script = '', ...args]: readonly string[],
  cutAt: number,
): Promise<ScriptResult> =>
  new Promise(resolve => {
    const env = {
      PATH: `${join(root, '../bin')}:${process.env['PATH']}`,
      BASH_ENV: join(root, '../bashEnvironment'),
      LINTEL_ROOT: root,
      CUT_AT: String(cutAt),
    };
    execFile(shell, [join(root, script), ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? error.signal ?? null), output: `${stdout}${stderr}` }),
    );
  });

export const diskStepsOf = ({ root }: Pi): number => Number(readFileSync(join(root, '../steps'), 'utf8'));

export const callsOf = ({ root }: Pi): string[] => readFileSync(join(root, '../calls'), 'utf8').trim().split('\n');

const pathsBelow = (folder: string, at = ''): string[] =>
  readdirSync(join(folder, at), { withFileTypes: true }).flatMap(entry => {
    const path = join(at, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(folder, path)] : [path];
  });

/** Truncates files that were being written at the power cut. */
export const truncateUnfinishedFiles = ({ root }: Pi): void => {
  for (const path of pathsBelow(root))
    if (path.endsWith('.new')) truncateSync(join(root, path), Math.floor(lstatSync(join(root, path)).size / 2));
};

/** Everything on the disk: kind, mode and content of each path. */
export const diskContentsOf = ({ root }: Pi): Record<string, string> =>
  Object.fromEntries(
    pathsBelow(root).map(path => {
      const file = join(root, path);
      const stats = lstatSync(file);
      const mode = (stats.mode & 0o777).toString(8);
      if (stats.isSymbolicLink()) return [path, `→ ${readlinkSync(file)}`];
      if (stats.isDirectory()) return [path, `folder ${mode}`];
      return [path, `${mode} ${createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)}`];
    }),
  );

export const readFileOn = ({ root }: Pi, path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
