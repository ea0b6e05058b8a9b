import { type IncomingMessage, request } from 'node:http';
import { type RunningTechnician, startTechnician } from '@lintel/device-runtime/technician/start';
import type { AdminClient } from '../bridge/administration.ts';
import type { Answer } from '../bridge/bridge-world.ts';
import type { FirmwareDoor } from '../devices/firmware-hotel.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The technician's page of a door whose firmware runs. */
export const servePage = (door: FirmwareDoor): Promise<RunningTechnician> =>
  startTechnician({
    dataDir: door.dataDir,
    device: door.running,
    productId: 'virtual',
    log: (level, message) => void door.logged.push(`${level} ${message}`),
    host: '127.0.0.1',
    port: 0,
    console: () => undefined,
  });

/** Somebody who works at a controller through the bridge. */
export class FarTechnician {
  readonly #admin: AdminClient;
  readonly #deviceId: string;

  constructor(admin: AdminClient, deviceId: string) {
    this.#admin = admin;
    this.#deviceId = deviceId;
  }

  path(path: string): string {
    return `/devices/${this.#deviceId}/technician/v1${path}`;
  }

  ask(method: Method, path: string, body?: object): Promise<Answer> {
    return this.#admin.ask(method, this.path(path), body);
  }

  /** Over a real connection, which stays open. */
  async live(
    bridgeUrl: string,
  ): Promise<{ readonly said: { readonly type: string }[]; ended(): boolean; stop(): void }> {
    const asked = request(`${bridgeUrl}/admin/v1${this.path('/live')}`, { headers: this.#admin.headers });
    asked.end();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve);
      asked.once('error', reject);
    });
    if (answer.statusCode !== 200) throw new Error(`live: ${answer.statusCode}`);
    const said: { readonly type: string }[] = [];
    let rest = '';
    let isOver = false;
    asked.on('error', () => undefined);
    answer.on('error', () => undefined);
    answer.on('close', () => {
      isOver = true;
    });
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) said.push(JSON.parse(data) as { readonly type: string });
      }
    });
    return { said, ended: () => isOver, stop: () => asked.destroy() };
  }
}
