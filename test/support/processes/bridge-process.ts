import { type StartedProgram, startLintel } from './start-program.ts';

interface Addresses {
  readonly http: string;
  readonly mqtt: string;
}

const freePorts = ['--http-port', '0', '--mqtt-port', '0'];

/** Starts `lintel bridge` as a process. */
export const startBridge = (dataDir: string, ...args: readonly string[]): Promise<StartedProgram> =>
  startLintel(['bridge', '--data', dataDir, ...freePorts, ...args]);

/** `lintel bridge` as a process that can be killed. It starts again with the same MQTT port. */
export class BridgeProcess {
  readonly #call: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #program: StartedProgram<Addresses> | null = null;
  #ready = Promise.withResolvers<Addresses>();
  #mqttPort = '0';
  #earlierLog = '';

  constructor(dataDir: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
    const limits = ['--rate-limit', '1000000', '--log-level', 'error'];
    this.#call = ['bridge', '--data', dataDir, '--http-port', '0', ...limits, ...args];
    this.#environment = environment;
  }

  get log(): string {
    return this.#earlierLog + (this.#program?.log() ?? '');
  }

  /** Waits while the bridge is down. */
  get url(): Promise<string> {
    return this.#ready.promise.then(({ http }) => http);
  }

  async start(): Promise<Addresses> {
    const call = [...this.#call, '--mqtt-port', this.#mqttPort];
    this.#program = await startLintel<Addresses>(call, { env: { ...process.env, ...this.#environment } });
    const { ready } = this.#program;
    this.#mqttPort = new URL(ready.mqtt).port;
    this.#ready.resolve(ready);
    return ready;
  }

  async kill(): Promise<void> {
    const program = this.#program;
    if (program === null) return;
    this.#program = null;
    this.#ready = Promise.withResolvers();
    await program.stop('SIGKILL');
    this.#earlierLog += program.log();
  }
}
