import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'vitest';
import { root as repository } from '../../architecture/read-sources-and-resolve-imports.ts';
import { requireProgram } from '../../support/require-program.ts';

const OPERATOR = 'eva';

/** Stand for what the machine of the test lacks or must not touch, and note their calls. */
const recordedPrograms = join(import.meta.dirname, 'programs');
/** In seconds: a command that hangs fails. */
const LONGEST = '180';
/** On the machine. */
const TERMINAL = '/srv/clone/test/support/processes/terminal.py';

/** Skips the test without root, which a file tree with other users requires. With CI=true the test fails instead. */
export const requireMachine = (context: TestContext): void => {
  const missing = process.getuid?.() === 0 ? null : 'a machine with several users requires root, to mount its disk';
  if (missing !== null && process.env['CI'] === 'true') throw new Error(missing);
  if (missing !== null) context.skip(missing);
  for (const command of ['unshare', 'nsenter', 'setpriv', 'ip', 'useradd', 'dpkg', 'npx', 'openssl', 'curl', 'zstd'])
    requireProgram(context, {
      command,
      install: 'apt-get install util-linux iproute2 passwd dpkg npm openssl curl zstd',
    });
};

/**
 * A copy of this machine's system on a disk in memory, with processes and a network of its own. Two users: root and an
 * operator who has sudo. The lines after `ready` are those of the processes that run on it.
 */
const setup = (base: string, packages: string): string => `
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs ${base}
mkdir ${base}/upper ${base}/work ${base}/root
mount -t overlay overlay -o lowerdir=/,upperdir=${base}/upper,workdir=${base}/work ${base}/root
cd ${base}/root
rm -rf etc/lintel var/lib/lintel* var/backups/*
mount -t proc proc proc
mount --rbind /dev dev
for place in tmp run var/tmp; do mount -t tmpfs -o mode=1777 tmpfs $place; done
mkdir -p srv/clone srv/packages
mount --bind ${repository} srv/clone
mount --bind ${packages} srv/packages
ip link set lo up
ip link add eth0 type veth peer name eth1
ip link set eth1 up
ip address add 192.0.2.10/24 dev eth0
ip link set eth0 up
printf '127.0.0.1 localhost doors.example.com broker.example.com\\n' > etc/hosts
: > etc/resolv.conf
chroot . useradd --create-home --shell /bin/sh ${OPERATOR}
mkdir -p home/${OPERATOR}/lintel/node_modules
mount --bind ${repository}/node_modules home/${OPERATOR}/lintel/node_modules
chroot . chown ${OPERATOR}: /home/${OPERATOR}/lintel
mkdir -p var/log/recorded
chmod 1777 var/log/recorded
cp usr/bin/setpriv usr/local/lib/as-root
chmod 4755 usr/local/lib/as-root
cp ${recordedPrograms}/* usr/local/bin/
chmod 755 usr/local/bin/*
echo ready
# As the first process it reaps those that end.
while :; do sleep 60 & wait; done
`;

interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A question of a program, and what the operator types when it appears. */
export type Answer = readonly [question: string, typed: string];

interface CallOptions {
  readonly user?: string;
  readonly folder?: string;
  /** Runs the line in a terminal. */
  readonly answers?: readonly Answer[];
}

export class OperatorMachine {
  readonly #base: string;
  readonly #holder: ChildProcess;
  readonly #init: number;

  private constructor(base: string, holder: ChildProcess, init: number) {
    this.#base = base;
    this.#holder = holder;
    this.#init = init;
  }

  /** `packages` is a folder with Debian packages. */
  static async start(packages: string): Promise<OperatorMachine> {
    const base = mkdtempSync(join(tmpdir(), 'lintel-machine-'));
    const isolated = ['--mount', '--net', '--pid', '--fork', '--kill-child'];
    const holder = spawn('unshare', [...isolated, 'sh', '-c', setup(base, packages)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const problem = text(holder.stderr);
    const [line] = (await Promise.race([
      once(createInterface({ input: holder.stdout }), 'line'),
      once(holder, 'exit'),
    ])) as [unknown];
    if (line !== 'ready') throw new Error(`The machine of the operator cannot be set up: ${await problem}`);
    const children = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8');
    return new OperatorMachine(base, holder, Number(children.trim()));
  }

  /** Runs a line of a shell until it ends. */
  async run(line: string, options: CallOptions = {}): Promise<CommandEnd> {
    const { answers = [] } = options;
    const child = this.#spawn(line, options, answers.length === 0 ? [] : ['python3', '-I', TERMINAL, '100', '30']);
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const printed = { stdout: '', stderr: '' };
    const left = [...answers];
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', chunk => {
      printed.stdout += String(chunk);
      const [next] = left;
      if (next === undefined || !printed.stdout.trimEnd().endsWith(next[0])) return;
      left.shift();
      child.stdin.write(`${next[1]}\r`);
    });
    child.stderr.on('data', chunk => {
      printed.stderr += String(chunk);
    });
    if (answers.length === 0) child.stdin.end();
    await once(child, 'close');
    const [code] = await exited;
    if (answers.length === 0) return { code, ...printed };
    // The terminal is both of them, and tells the exit code on its last line.
    const ended = JSON.parse(printed.stderr.trim().split('\n').at(-1)!) as { readonly code: number };
    return {
      code: ended.code,
      stdout: printed.stdout,
      stderr: left.map(([question]) => `Not asked: ${question}`).join(),
    };
  }

  /** Runs a line of a shell until it has printed its first line, then presses Ctrl-C. */
  async serve(line: string, options: CallOptions = {}): Promise<CommandEnd> {
    const child = this.#spawn(`echo $$ > /run/served\nexec ${line}`, options, ['setsid', '--wait']);
    const stderr = text(child.stderr);
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const lines = createInterface({ input: child.stdout });
    const [first] = (await Promise.race([once(lines, 'line'), exited])) as [unknown];
    const isServing = typeof first === 'string';
    if (isServing)
      await this.run('/bin/kill -INT -- "-$(cat /run/served)"; rm /run/served', { user: 'root', folder: '/' });
    const [code] = await exited;
    return { code, stdout: isServing ? first : '', stderr: await stderr };
  }

  #spawn(line: string, { user = OPERATOR, folder = `/home/${user}` }: CallOptions, wrapper: readonly string[] = []) {
    const home = user === 'root' ? '/root' : `/home/${user}`;
    const enter = ['-t', String(this.#init), '--mount', '--net', '--pid'];
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const environment = ['env', '-i', `PATH=${path}`, `HOME=${home}`, `USER=${user}`, 'LANG=C.UTF-8'];
    const identity = ['setpriv', '--reuid', user, '--regid', user, '--init-groups', '--'];
    const shell = ['timeout', '--foreground', LONGEST, ...wrapper, 'sh', '-c', `cd ${folder}\n${line}`];
    const args = [...enter, 'chroot', join(this.#base, 'root'), ...identity, ...environment, ...shell];
    return spawn('nsenter', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** As root. Everyone can read the file. */
  async write(path: string, content: string): Promise<void> {
    const child = this.#spawn(`cat > ${path}; chmod 644 ${path}`, { user: 'root', folder: '/' });
    const exited = once(child, 'exit');
    child.stdin.end(content);
    await exited;
  }

  /** The calls of recorded programs so far, one line each. */
  async calls(): Promise<string[]> {
    const { stdout } = await this.run('cat /var/log/recorded/calls', { user: 'root', folder: '/' });
    return stdout.trim().split('\n');
  }

  async stop(): Promise<void> {
    const exited = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await exited;
    rmSync(this.#base, { recursive: true, force: true });
  }
}
