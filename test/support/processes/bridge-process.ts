import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { lintelProgramFile } from './bundled-programs.ts';

interface BridgeAddresses {
  readonly http: string;
  readonly mqtt: string;
}

/** `lintel bridge` as a process that can be killed. It starts again with the same MQTT port. */
export class BridgeProcess {
  readonly #dataDir: string;
  readonly #args: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #ready = Promise.withResolvers<BridgeAddresses>();
  #mqttPort = '0';
  log = '';

  constructor(dataDir: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
    this.#dataDir = dataDir;
    this.#args = args;
    this.#environment = environment;
  }

  /** Waits while the bridge is down. */
  get url(): Promise<string> {
    return this.#ready.promise.then(({ http }) => http);
  }

  async start(): Promise<BridgeAddresses> {
    const listeners = ['--http-port', '0', '--mqtt-port', this.#mqttPort];
    const limits = ['--rate-limit', '1000000', '--log-level', 'error'];
    const call = [lintelProgramFile, 'bridge', '--data', this.#dataDir, ...listeners, ...limits, ...this.#args];
    const env = { ...process.env, ...this.#environment };
    const child = spawn(process.execPath, call, { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.#child = child;
    child.stderr.on('data', chunk => {
      this.log += String(chunk);
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const addresses = JSON.parse(line) as BridgeAddresses;
      this.#mqttPort = new URL(addresses.mqtt).port;
      this.#ready.resolve(addresses);
      return addresses;
    }
    throw new Error(`the bridge ended before it was ready: ${this.log}`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    this.#ready = Promise.withResolvers();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
