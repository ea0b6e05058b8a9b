import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lintelProgramFile } from './bundled-programs.ts';
import type { GatewayStatusDocument } from '@lintel/gateway/status/status-document-types';

const START_MS = 90_000;
const home = join(import.meta.dirname, '../../..');

export interface GatewayProcessOptions {
  /** Default: the brokers from the claim response. */
  readonly upstream?: string;
  /** Default: a free port. */
  readonly mqttPort?: number;
  readonly more?: readonly string[];
  /** A command that runs node, such as `prlimit` with its options. */
  readonly under?: readonly string[];
}

/** `lintel gateway` as a process, with the data directory of a claimed gateway. */
export class GatewayProcess {
  readonly process: ChildProcess;
  readonly ready: Readonly<Record<'mqtt' | 'mqtts' | 'status' | 'device_id', string>>;
  readonly log: () => string;

  private constructor(process: ChildProcess, line: string, log: () => string) {
    this.process = process;
    this.ready = JSON.parse(line) as GatewayProcess['ready'];
    this.log = log;
  }

  static async start(
    dataDir: string,
    { upstream, mqttPort = 0, more = [], under = [] }: GatewayProcessOptions,
  ): Promise<GatewayProcess> {
    const listeners = ['--listen', '127.0.0.1:0', '--mqtt-port', String(mqttPort), '--no-mdns'];
    const link = upstream === undefined ? [] : ['--upstream', upstream];
    const call = [lintelProgramFile, 'gateway', '--data', dataDir, ...listeners, ...link, ...more];
    const [command, ...args] = [...under, process.execPath, ...call];
    const child = spawn(command!, args, { cwd: home });
    let log = '';
    child.stderr.on('data', chunk => {
      log += String(chunk);
    });
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The gateway ended with ${String(code ?? signal)} before it was ready: ${log}`);
    });
    const isReady = once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(START_MS) });
    try {
      const [line] = (await Promise.race([isReady, ended])) as [string];
      ended.catch(() => undefined);
      return new GatewayProcess(child, line, () => log);
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error(`The gateway does not start: ${log}`, { cause: error });
    }
  }

  get mqttPort(): number {
    return Number(new URL(this.ready.mqtt).port);
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async status(): Promise<GatewayStatusDocument> {
    return (await (await fetch(`${this.ready.status}/status.json`)).json()) as GatewayStatusDocument;
  }

  /** Resident memory, in MB. */
  get memory(): number {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  }

  /** Resolves with the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.isRunning) return this.process.exitCode;
    const exited = once(this.process, 'exit') as Promise<[number | null]>;
    this.process.kill(signal);
    return (await exited)[0];
  }
}
