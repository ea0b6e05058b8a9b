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
import { scratch, writeFiles } from './prepare-cards.ts';

/** Never let loose on the machine that runs the test, whatever goes wrong. */
const harmful = 'systemctl nmcli rfkill modprobe hostname usermod useradd systemd-sysusers chown dpkg'.split(' ');

/**
 * What the scripts of the first boot would do to a real system is written down instead. The files are real. `date` says
 * 1970, as a Pi does that has no battery clock.
 */
const NOTE = `printf '%s\\n' "$*" >>"$LINTEL_ROOT/../calls"`;

const standIns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(harmful.map(name => [name, `note ${name} "$@"`])),
  sync: ':',
  date: 'if [ "$1" = +%s ]; then echo 1000; else note date "$@"; fi',
  getent: `if [ "$2" = 1000 ] || [ "$2" = pi ]; then echo 'pi:x:1000:1000:,,,:/home/pi:/bin/bash'; fi`,
};

/** The same as functions, which are quicker than programs, and a power cut. */
const stage = `
note() { ${NOTE}; }
${Object.entries(standIns)
  .map(([name, does]) => `${name}() { ${does}; }`)
  .join('\n')}
steps=0
# Only what changes the disk: between two of these a power cut is the same as at the next one.
count() {
  # In memory on a Pi.
  case $1 in *'"$said"'*) return 0 ;; esac
  case " cp mv rm rmdir touch dd chown dpkg " in
    *" \${1%% *} "*) ;;
    # As bash writes a command that it is about to run, wherever the script has its spaces.
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

/** Another Pi that is just as far. */
export const copyOf = ({ root }: Pi): Pi => {
  const folder = scratch();
  cpSync(join(root, '..'), folder, { recursive: true, verbatimSymlinks: true });
  return { root: join(folder, 'root'), boot: join(folder, 'root/boot/firmware') };
};

/** A fresh system with the card in it. */
export const piWith = (card: string): Pi => {
  const folder = scratch();
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
  writeFileSync(join(folder, 'stage'), stage);
  for (const [name, does] of Object.entries(standIns))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nnote() { ${NOTE}; }\n${does}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'calls'), '');
  return { root, boot };
};

interface Ran {
  readonly status: number | string | null;
  readonly output: string;
}

/** Runs a script of the card or the system; `cutAt` is the change of the disk before which the power goes. */
export const runOn = (pi: Pi, script: string, args: readonly string[] = [], cutAt = 0): Promise<Ran> =>
  runWith('bash', pi, [script, ...args], cutAt);

/** As the Pi would: by the shell that the system calls `sh`. */
export const runPlainlyOn = (pi: Pi, script: string): Promise<Ran> => runWith('sh', pi, [script], 0);

const runWith = (shell: string, { root }: Pi, [script = '', ...args]: readonly string[], cutAt: number): Promise<Ran> =>
  new Promise(resolve => {
    const env = {
      PATH: `${join(root, '../bin')}:${process.env['PATH']}`,
      BASH_ENV: join(root, '../stage'),
      LINTEL_ROOT: root,
      CUT_AT: String(cutAt),
    };
    execFile(shell, [join(root, script), ...args], { env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? error.signal ?? null), output: `${stdout}${stderr}` }),
    );
  });

export const stepsOf = ({ root }: Pi): number => Number(readFileSync(join(root, '../steps'), 'utf8'));

export const callsOf = ({ root }: Pi): string[] => readFileSync(join(root, '../calls'), 'utf8').trim().split('\n');

const pathsBelow = (folder: string, at = ''): string[] =>
  readdirSync(join(folder, at), { withFileTypes: true }).flatMap(entry => {
    const path = join(at, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(folder, path)] : [path];
  });

/** A file that was being written when the power went may be half there. */
export const tearUnfinished = ({ root }: Pi): void => {
  for (const path of pathsBelow(root))
    if (path.endsWith('.new')) truncateSync(join(root, path), Math.floor(lstatSync(join(root, path)).size / 2));
};

/** Everything on the disk: kind, mode and content of each path. */
export const diskOf = ({ root }: Pi): Record<string, string> =>
  Object.fromEntries(
    pathsBelow(root).map(path => {
      const whole = join(root, path);
      const facts = lstatSync(whole);
      const mode = (facts.mode & 0o777).toString(8);
      if (facts.isSymbolicLink()) return [path, `→ ${readlinkSync(whole)}`];
      if (facts.isDirectory()) return [path, `folder ${mode}`];
      return [path, `${mode} ${createHash('sha256').update(readFileSync(whole)).digest('hex').slice(0, 12)}`];
    }),
  );

export const textOn = ({ root }: Pi, path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
