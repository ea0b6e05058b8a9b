import { join } from 'node:path';
import type { SimulatedControllerState } from '@lintel/wire-protocol/simulator/controller-and-gateway-state';
import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type {
  SimulatorLiveMessage,
  SimulatorState,
} from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { StartedProgram, startProgram } from './start-program.ts';

const simulator = join(import.meta.dirname, '../../../simulator/src/main.ts');
const useBundles = pathToFileURL(join(import.meta.dirname, 'use-bundles.ts')).href;

interface Addresses {
  readonly page: string;
  readonly console: string;
  readonly http: string;
  readonly organization_id: string;
  readonly guest: string;
  readonly pin: string;
  readonly card: string;
  readonly logins: {
    readonly admin: { readonly email: string; readonly password: string };
    readonly application: { readonly client_id: string; readonly client_secret: string };
  };
}

const polling = { timeout: 60_000, interval: 100 };

/** `npm start` as a process, with its own data directory and free ports. */
export class DemoProcess extends StartedProgram<Addresses> {
  readonly dataDir: string;

  private constructor(program: StartedProgram<Addresses>, dataDir: string) {
    super(program);
    this.dataDir = dataDir;
  }

  static async start(dataDir: string, ...args: readonly string[]): Promise<DemoProcess> {
    const ports = ['--page-port', '0', '--http-port', '0', '--mqtt-port', '0'];
    const call = [simulator, '--data', dataDir, ...ports, '--json', ...args];
    // For the programs that it starts, too.
    const env = { ...process.env, NODE_OPTIONS: `--import ${useBundles}` };
    return new DemoProcess(await startProgram<Addresses>([process.execPath, ...call], { env }), dataDir);
  }

  get addresses(): Addresses {
    return this.ready;
  }

  async world(): Promise<SimulatorState> {
    return (await (await fetch(`${this.addresses.page}/api/world`)).json()) as SimulatorState;
  }

  async door(key: string): Promise<SimulatedDoorState> {
    return (await this.world()).doors.find(door => door.key === key)!;
  }

  async controller(key: string): Promise<SimulatedControllerState> {
    return (await this.world()).controllers.find(one => one.key === key)!;
  }

  /** Resolves with the status and the error message. */
  async post(path: string, body: object): Promise<{ readonly status: number; readonly message: string | undefined }> {
    const answer = await fetch(`${this.addresses.page}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, message: ((await answer.json()) as { message?: string }).message };
  }

  async waitUntilDoor(key: string, condition: (door: SimulatedDoorState) => boolean): Promise<void> {
    await vi.waitUntil(async () => condition(await this.door(key)), polling);
  }

  async waitUntilController(key: string, condition: (controller: SimulatedControllerState) => boolean): Promise<void> {
    await vi.waitUntil(async () => condition(await this.controller(key)), polling);
  }

  /** Waits for activity of a door that meet the condition; newest first. */
  async activity(
    door: string,
    condition: (entry: SimulatorActivityEntry) => boolean,
  ): Promise<readonly SimulatorActivityEntry[]> {
    let found: readonly SimulatorActivityEntry[] = [];
    await vi.waitUntil(async () => {
      found = (await this.world()).activity.filter(one => one.door === door && condition(one));
      return found.length > 0;
    }, polling);
    return found;
  }

  /** The messages of the live stream; grows until `stop`. */
  async live(): Promise<{ readonly messages: SimulatorLiveMessage[]; stop(): void }> {
    const ending = new AbortController();
    const answer = await fetch(`${this.addresses.page}/api/live`, { signal: ending.signal });
    const messages: SimulatorLiveMessage[] = [];
    const read = async (): Promise<void> => {
      let rest = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data !== undefined) messages.push(JSON.parse(data) as SimulatorLiveMessage);
        }
      }
    };
    read().catch(() => undefined);
    return { messages, stop: () => ending.abort() };
  }
}
