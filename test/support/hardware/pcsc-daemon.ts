import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { requireProgram } from '../require-program.ts';
import { requiredPython } from '../processes/pty.ts';
import { findFreePort } from '../find-free-port.ts';
import { python } from '../processes/python.ts';

const program = fileURLToPath(new URL('pcsc-daemon.py', import.meta.url));

/** The driver of the virtual reader has no command, so the check looks for its configuration tool. */
export const requirePcsc = (context: TestContext): void => {
  requireProgram(context, { command: 'pcscd', install: 'apt-get install pcscd' });
  requireProgram(context, { command: 'vpcd-config', install: 'apt-get install vsmartcard-vpcd' });
  requireProgram(context, requiredPython);
  if (process.getuid?.() === 0) return;
  const missing = 'pcscd keeps its files in /run and must be started as root';
  if (process.env['CI'] === 'true') throw new Error(missing);
  context.skip(missing);
};

/** The driver uses the port of its configuration and the next one. */
const ADJACENT_PORTS = 2;

const readerConfig = (name: string, port: number): string => {
  const channel = `0x${port.toString(16)}`;
  return [
    `FRIENDLYNAME "${name}"`,
    `DEVICENAME /dev/null:${channel}`,
    'LIBPATH /usr/lib/pcsc/drivers/serial/libifdvpcd.so',
    `CHANNELID ${channel}`,
  ].join('\n');
};

/** One folder per process, because the client library keeps using the first socket path. */
const folder = mkdtempSync(join(tmpdir(), 'lintel-pcsc-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
const socket = join(folder, 'pcscd.comm');
const readers = join(folder, 'readers');
mkdirSync(readers);
process.env['PCSCLITE_CSOCK_NAME'] = socket;

/**
 * The real pcscd with one virtual reader. The reader has two slots, `<name> 00 00` and `<name> 00 01`, the maximum of its
 * driver. PC/SC clients in this process use this daemon.
 */
export class PcscDaemon {
  readonly #firstPort: number;
  #process: ChildProcess | null = null;

  private constructor(name: string, port: number) {
    this.#firstPort = port;
    writeFileSync(join(readers, 'virtual'), readerConfig(name, port));
  }

  static async start(name: string): Promise<PcscDaemon> {
    const daemon = new PcscDaemon(name, await findFreePort(ADJACENT_PORTS));
    await daemon.start();
    return daemon;
  }

  /** The TCP port for a card in this slot. */
  port(slot: 0 | 1 = 0): number {
    return this.#firstPort + slot;
  }

  async start(): Promise<void> {
    rmSync(socket, { force: true });
    this.#process = spawn(python(), ['-I', program, socket, readers], { stdio: 'ignore' });
    while (!existsSync(socket)) await setTimeout(10);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process === null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    this.#process = null;
    await ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  close(): Promise<void> {
    return this.stop('SIGKILL');
  }
}

/** Replaces pcscd with a service that accepts connections and never responds. */
export const startSilentPcscService = async () => {
  rmSync(socket, { force: true });
  const connections = new Set<Socket>();
  const server = createServer(connection => {
    connections.add(connection);
    connection.on('error', () => undefined).resume();
  });
  await once(server.listen(socket), 'listening');
  const close = async (): Promise<void> => {
    for (const connection of connections) connection.destroy();
    await new Promise(closed => server.close(closed));
  };
  return { close, connections: () => connections.size };
};

const isPcscProcess = (pid: number, parent: number): boolean => {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return (
      command.includes('pcsc-process') && readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${parent}\n`)
    );
  } catch {
    return false;
  }
};

/** The PC/SC child processes of a process. */
export const pcscProcesses = (parent = process.pid): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && isPcscProcess(pid, parent));
