import { type IncomingMessage, request } from 'node:http';
import { startTechnicianServer, type TechnicianServer } from '@lintel/device-runtime/testing';
import type { AdminClient } from '../bridge/admin-client.ts';
import type { ApiResponse } from '../bridge/test-bridge.ts';
import type { FirmwareController } from '../devices/firmware-site.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Serves the technician page of a controller whose firmware runs. */
export const serveTechnicianPage = (controller: FirmwareController): Promise<TechnicianServer> =>
  startTechnicianServer({
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

  call(method: Method, path: string, body?: object): Promise<ApiResponse> {
    return this.#admin.callRoot(method, this.path(path), body);
  }

  /** Opens the live stream over a real connection. */
  async live(
    bridgeUrl: string,
  ): Promise<{ readonly messages: { readonly type: string }[]; ended(): boolean; stop(): void }> {
    const outgoing = request(`${bridgeUrl}/admin/v1${this.path('/live')}`, { headers: this.#admin.headers });
    outgoing.end();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
    });
    if (response.statusCode !== 200) throw new Error(`live: ${response.statusCode}`);
    const messages: { readonly type: string }[] = [];
    let rest = '';
    let isEnded = false;
    outgoing.on('error', () => undefined);
    response.on('error', () => undefined);
    response.on('close', () => {
      isEnded = true;
    });
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) messages.push(JSON.parse(data) as { readonly type: string });
      }
    });
    return { messages, ended: () => isEnded, stop: () => outgoing.destroy() };
  }
}
