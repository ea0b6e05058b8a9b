import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';

const MAX_BODY_BYTES = 1024 * 1024;

/** Returns null for a body that is too large. */
const rawBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const isSignatureValid = (body: Buffer, secret: string, signature: unknown): boolean => {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(typeof signature === 'string' ? signature : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** The webhook receiver of the booking system. It accepts only deliveries with a valid signature. */
export class SimulatedWebhookReceiver {
  readonly url: string;
  readonly #server: Server;
  readonly #onEvent: (event: EventResponse) => void;
  secret: string | null = null;
  /** Responds 503 to all deliveries. */
  isFailing = false;

  private constructor(server: Server, onEvent: (event: EventResponse) => void) {
    this.#server = server;
    this.#onEvent = onEvent;
    this.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/doors`;
    server.on('request', (request, response) => {
      this.#receive(request).then(
        status => response.writeHead(status).end(),
        () => response.destroy(),
      );
    });
  }

  static async open(onEvent: (event: EventResponse) => void): Promise<SimulatedWebhookReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SimulatedWebhookReceiver(server, onEvent);
  }

  async #receive(request: IncomingMessage): Promise<number> {
    if (this.isFailing) return 503;
    if (request.method !== 'POST' || request.url !== '/doors') return 404;
    const body = await rawBody(request);
    if (body === null) return 413;
    const signature = request.headers['x-service-sig-sha256'];
    if (this.secret === null || !isSignatureValid(body, this.secret, signature)) return 401;
    this.#onEvent(JSON.parse(body.toString('utf8')) as EventResponse);
    return 204;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
