import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly event: { readonly id: string } & Readonly<Record<string, unknown>>;
}

type Answering = (delivered: ReceivedDelivery, response: ServerResponse) => void;

const accept: Answering = (_, response) => {
  response.writeHead(204).end();
};

const rawBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** An HTTP server on loopback that records webhook deliveries. The response can be set for each path. */
export class WebhookTestServer {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #answers = new Map<string, Answering>();
  readonly #all: ReceivedDelivery[] = [];
  #changed: Array<() => void> = [];

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async open(port = 0): Promise<WebhookTestServer> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookTestServer(server);
  }

  answer(path: string, answering: Answering | null): void {
    if (answering === null) this.#answers.delete(path);
    else this.#answers.set(path, answering);
  }

  at(path: string): readonly ReceivedDelivery[] {
    return this.#all.filter(one => one.path === path);
  }

  /** Waits until this path has received `count` deliveries. */
  async received(path: string, count: number): Promise<readonly ReceivedDelivery[]> {
    while (this.at(path).length < count) await new Promise<void>(resolve => this.#changed.push(resolve));
    return this.at(path);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await rawBody(request).catch(() => null);
    if (raw === null) return;
    const event = JSON.parse(raw.toString('utf8')) as ReceivedDelivery['event'];
    const delivered = { path: request.url ?? '', headers: request.headers, raw, event };
    this.#all.push(delivered);
    (this.#answers.get(delivered.path) ?? accept)(delivered, response);
    const waiting = this.#changed;
    this.#changed = [];
    for (const resolve of waiting) resolve();
  }
}

/** The signature that a receiver computes from the raw body. */
export const expectedSignature = (secret: string, raw: Buffer): string =>
  createHmac('sha256', secret).update(raw).digest('hex');
