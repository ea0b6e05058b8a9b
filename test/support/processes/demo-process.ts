import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ControllerState } from '@lintel/wire-protocol/simulator/controller-state';
import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { Happening } from '@lintel/wire-protocol/simulator/happening';
import type { LiveMessage, World } from '@lintel/wire-protocol/simulator/world';
import { vi } from 'vitest';

const home = join(import.meta.dirname, '../../..');

interface Addresses {
  readonly page: string;
  readonly http: string;
  readonly organization_id: string;
  readonly pin: string;
  readonly card: string;
}

const patience = { timeout: 20_000, interval: 100 };

/** `npm start` with a folder and ports of its own. */
export class DemoProcess {
  readonly process: ChildProcess;
  readonly addresses: Addresses;
  readonly dataDir: string;

  private constructor(process: ChildProcess, addresses: Addresses, dataDir: string) {
    this.process = process;
    this.addresses = addresses;
    this.dataDir = dataDir;
  }

  static async start(dataDir: string, ...args: readonly string[]): Promise<DemoProcess> {
    const ports = ['--page-port', '0', '--http-port', '0', '--mqtt-port', '0'];
    const call = [join(home, 'simulator/src/main.ts'), '--data', dataDir, ...ports, '--json', ...args];
    const child = spawn(process.execPath, call, { cwd: home });
    let log = '';
    child.stderr.on('data', chunk => {
      log += String(chunk);
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the demonstration ended with ${String(code)}: ${log}`);
    });
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
    return new DemoProcess(child, JSON.parse(line) as Addresses, dataDir);
  }

  async world(): Promise<World> {
    return (await (await fetch(`${this.addresses.page}/api/world`)).json()) as World;
  }

  async door(key: string): Promise<DoorState> {
    return (await this.world()).doors.find(door => door.key === key)!;
  }

  async controller(key: string): Promise<ControllerState> {
    return (await this.world()).controllers.find(one => one.key === key)!;
  }

  /** The status, and what was wrong. */
  async post(path: string, body: object): Promise<{ readonly status: number; readonly message: string | undefined }> {
    const answer = await fetch(`${this.addresses.page}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, message: ((await answer.json()) as { message?: string }).message };
  }

  async untilDoor(key: string, isSo: (door: DoorState) => boolean): Promise<void> {
    await vi.waitUntil(async () => isSo(await this.door(key)), patience);
  }

  async untilController(key: string, isSo: (controller: ControllerState) => boolean): Promise<void> {
    await vi.waitUntil(async () => isSo(await this.controller(key)), patience);
  }

  /** Waits for happenings of a door that are as told, the newest first. */
  async happenings(door: string, isSo: (happening: Happening) => boolean): Promise<readonly Happening[]> {
    let found: readonly Happening[] = [];
    await vi.waitUntil(async () => {
      found = (await this.world()).happenings.filter(one => one.door === door && isSo(one));
      return found.length > 0;
    }, patience);
    return found;
  }

  /** What the page is told; grows until `stop`. */
  async live(): Promise<{ readonly said: LiveMessage[]; stop(): void }> {
    const ending = new AbortController();
    const answer = await fetch(`${this.addresses.page}/api/live`, { signal: ending.signal });
    const said: LiveMessage[] = [];
    const read = async (): Promise<void> => {
      let rest = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data !== undefined) said.push(JSON.parse(data) as LiveMessage);
        }
      }
    };
    read().catch(() => undefined);
    return { said, stop: () => ending.abort() };
  }

  /** Answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit') as Promise<[number | null]>;
    this.process.kill(signal);
    return (await exited)[0];
  }
}
