import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { EventAnswer } from '@lintel/wire-protocol/rest/event';

const LARGEST_BODY = 1024 * 1024;

/** Null when it is too large. */
const rawBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isGenuine = (body: Buffer, secret: string, shown: unknown): boolean => {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(typeof shown === 'string' ? shown : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** The booking system's end of its webhook: takes what is signed with the webhook's secret, and nothing else. */
export class WebhookReceiver {
  readonly url: string;
  readonly #server: Server;
  readonly #tell: (event: EventAnswer) => void;
  secret: string | null = null;
  /** Answers as a system that is down for maintenance. */
  isFailing = false;

  private constructor(server: Server, tell: (event: EventAnswer) => void) {
    this.#server = server;
    this.#tell = tell;
    this.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/doors`;
    server.on('request', (request, response) => {
      this.#take(request).then(
        status => response.writeHead(status).end(),
        () => response.destroy(),
      );
    });
  }

  static async open(tell: (event: EventAnswer) => void): Promise<WebhookReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WebhookReceiver(server, tell);
  }

  async #take(request: IncomingMessage): Promise<number> {
    if (this.isFailing) return 503;
    if (request.method !== 'POST' || request.url !== '/doors') return 404;
    const body = await rawBody(request);
    if (body === null) return 413;
    const shown = request.headers['x-service-sig-sha256'];
    if (this.secret === null || !isGenuine(body, this.secret, shown)) return 401;
    this.#tell(JSON.parse(body.toString('utf8')) as EventAnswer);
    return 204;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
