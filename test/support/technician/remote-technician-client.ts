import { type IncomingMessage, request } from 'node:http';
import { type RunningTechnician, startTechnician } from '../../../device-runtime/src/technician/start.ts';
import type { AdminClient } from '../bridge/admin-client.ts';
import type { ApiResponse } from '../bridge/test-bridge.ts';
import type { FirmwareController } from '../devices/firmware-site.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Serves the technician page of a controller whose firmware runs. */
export const serveTechnicianPage = (controller: FirmwareController): Promise<RunningTechnician> =>
  startTechnician({
    dataDir: controller.dataDir,
    device: controller.running,
    productId: 'virtual',
    log: (level, message) => void controller.logged.push(`${level} ${message}`),
    host: '127.0.0.1',
    port: 0,
    console: () => undefined,
  });

/** A technician who uses a controller through the bridge. */
export class RemoteTechnicianClient {
  readonly #admin: AdminClient;
  readonly #deviceId: string;

  constructor(admin: AdminClient, deviceId: string) {
    this.#admin = admin;
    this.#deviceId = deviceId;
  }

  path(path: string): string {
    return `/devices/${this.#deviceId}/technician/v1${path}`;
  }

  ask(method: Method, path: string, body?: object): Promise<ApiResponse> {
    return this.#admin.callRoot(method, this.path(path), body);
  }

  /** Opens the live stream over a real connection. */
  async live(
    bridgeUrl: string,
  ): Promise<{ readonly messages: { readonly type: string }[]; ended(): boolean; stop(): void }> {
    const asked = request(`${bridgeUrl}/admin/v1${this.path('/live')}`, { headers: this.#admin.headers });
    asked.end();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve);
      asked.once('error', reject);
    });
    if (answer.statusCode !== 200) throw new Error(`live: ${answer.statusCode}`);
    const messages: { readonly type: string }[] = [];
    let rest = '';
    let isEnded = false;
    asked.on('error', () => undefined);
    answer.on('error', () => undefined);
    answer.on('close', () => {
      isEnded = true;
    });
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) messages.push(JSON.parse(data) as { readonly type: string });
      }
    });
    return { messages, ended: () => isEnded, stop: () => asked.destroy() };
  }
}
