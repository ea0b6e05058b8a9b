import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequiredProgram } from '../require-program.ts';
import { findFreePort } from '../find-free-port.ts';

export const mosquitto: RequiredProgram = { command: 'mosquitto', install: 'apt-get install mosquitto' };

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export interface MosquittoProcess {
  readonly port: number;
  readonly url: string;
  /** Ends the broker, which forgets all sessions and messages. */
  halt(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again after `halt`, on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export interface MosquittoOptions {
  /** Default: everyone may connect. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Default: without TLS. */
  readonly tls?: { readonly key: string; readonly certificate: string };
}

const loginLines = (folder: string, login: MosquittoOptions['login']): string[] => {
  if (login === undefined) return ['allow_anonymous true'];
  const file = join(folder, 'passwords');
  execFileSync('mosquitto_passwd', ['-b', '-c', file, login.user, login.password], { stdio: 'ignore' });
  return ['allow_anonymous false', `password_file ${file}`];
};

const tlsLines = (folder: string, tls: MosquittoOptions['tls']): string[] => {
  if (tls === undefined) return [];
  const [keyfile, certfile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  writeFileSync(keyfile, tls.key, { mode: 0o600 });
  writeFileSync(certfile, tls.certificate);
  return [`keyfile ${keyfile}`, `certfile ${certfile}`];
};

/** Starts mosquitto on loopback, without persistence. */
export const startMosquitto = async (options: MosquittoOptions = {}): Promise<MosquittoProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-mosquitto-'));
  const port = await findFreePort();
  const lines = [
    // Root reads the files of this folder.
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    `listener ${port} 127.0.0.1`,
    ...tlsLines(folder, options.tls),
    ...loginLines(folder, options.login),
    'persistence false',
    'set_tcp_nodelay true',
    'max_queued_messages 0',
    'log_type error',
  ];
  writeFileSync(join(folder, 'mosquitto.conf'), `${lines.join('\n')}\n`);
  let broker: ChildProcess;
  const resume = async (): Promise<void> => {
    broker = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], {
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    });
    while (!(await isListening(port))) {
      if (broker.exitCode !== null) throw new Error('mosquitto did not start');
      await delay(20);
    }
  };
  const halt = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const ended = once(broker, 'exit');
    broker.kill(signal);
    await ended;
  };
  await resume();
  return {
    port,
    url: `${options.tls === undefined ? 'mqtt' : 'mqtts'}://127.0.0.1:${port}`,
    halt,
    resume,
    stop: async () => {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
