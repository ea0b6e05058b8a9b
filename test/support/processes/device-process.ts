import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lintelProgramFile } from './bundled-programs.ts';

const home = join(import.meta.dirname, '../../..');
const laptop = join(home, 'hardware-profiles/profiles/laptop-simulator.json');

/** `lintel device` as a process, with simulated parts that are controlled over a socket. */
export class DeviceProcess {
  readonly process: ChildProcess;
  readonly ready: Readonly<Record<string, string | null>>;
  readonly dataDir: string;
  readonly log: () => string;

  private constructor(process: ChildProcess, line: string, dataDir: string, log: () => string) {
    this.process = process;
    this.ready = JSON.parse(line) as Record<string, string | null>;
    this.dataDir = dataDir;
    this.log = log;
  }

  static async start(dataDir: string, ...args: readonly string[]): Promise<DeviceProcess> {
    const page = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];
    const call = [lintelProgramFile, 'device', '--profile', laptop, '--data', dataDir, ...page, ...args];
    const child = spawn(process.execPath, call, { cwd: home });
    let log = '';
    child.stderr.on('data', chunk => {
      log += String(chunk);
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The device ended with ${String(code)} before it was ready: ${log}`);
    });
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
    ended.catch(() => undefined);
    return new DeviceProcess(child, line, dataDir, () => log);
  }

  /** Sends commands to the simulated parts, in this order. */
  async parts(...commands: readonly object[]): Promise<void> {
    const socket = createConnection(join(this.dataDir, 'parts.sock'));
    await once(socket, 'connect');
    socket.end(commands.map(command => `${JSON.stringify(command)}\n`).join(''));
    socket.resume();
    await once(socket, 'close');
  }

  type(keys: string): Promise<void> {
    return this.parts(...Array.from(keys, key => ({ key })));
  }

  /** Resolves with the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit') as Promise<[number | null]>;
    this.process.kill(signal);
    return (await exited)[0];
  }
}
