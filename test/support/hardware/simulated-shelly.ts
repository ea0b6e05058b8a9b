import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/* A Shelly relay with two switches, written from the documentation of its API. Shares no code with the driver. */

const REALM = 'shellyplus1-simulated';

const hash = (...parts: readonly string[]): string => createHash('sha256').update(parts.join(':')).digest('hex');

export class SimulatedShelly {
  readonly switches = [false, false];
  /** Methods and parameters of all executed calls. */
  readonly calls: [string, Record<string, unknown>][] = [];
  password: string | null = null;
  /** Old firmware: each nonce is valid for one request. */
  usesNonceOnce = false;
  /** Responds without switching. */
  isStuck = false;
  isSilent = false;
  challenges = 0;
  port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #nonces = new Map<string, number>();
  #server: Server | null = null;

  async start(): Promise<void> {
    this.#server = createServer((request, response) => void this.#handle(request, response)).listen(
      this.port,
      '127.0.0.1',
    );
    this.#server.on('connection', socket => this.#sockets.add(socket));
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server!, 'close');
    this.#server!.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (this.isSilent) return;
    if (this.password !== null && !this.#isAuthorized(request, this.password)) return this.#challenge(response);
    response.setHeader('content-type', 'application/json');
    // A method in the path has a result without a frame.
    const [, methodInPath] = /^\/rpc\/([\w.]+)$/.exec(request.url ?? '') ?? [];
    if (methodInPath !== undefined) return void response.end(JSON.stringify(this.#call(methodInPath, {})));
    const frame = JSON.parse(text) as { id: number; method: string; params: Record<string, unknown> };
    const result = this.#call(frame.method, frame.params);
    const outcome =
      result === null ? { error: { code: -105, message: `Argument 'id', value not found!` } } : { result };
    response.end(JSON.stringify({ id: frame.id, src: REALM, dst: 'lintel', ...outcome }));
  }

  #call(method: string, params: Record<string, unknown>): object | null {
    if (method === 'Shelly.GetStatus')
      return Object.fromEntries(this.switches.map((output, id) => [`switch:${id}`, { id, source: 'http', output }]));
    const id = Number(params['id']);
    const was_on = this.switches[id];
    if (method !== 'Switch.Set' || was_on === undefined) return null;
    this.calls.push([method, params]);
    if (!this.isStuck) this.switches[id] = params['on'] === true;
    return { was_on };
  }

  #challenge(response: ServerResponse): void {
    const nonce = randomUUID();
    this.#nonces.set(nonce, 0);
    this.challenges++;
    response.statusCode = 401;
    const fields = `qop="auth", realm="${REALM}", nonce="${nonce}", algorithm=SHA-256`;
    response.setHeader('WWW-Authenticate', `Digest ${fields}`);
    response.end();
  }

  #isAuthorized({ headers, method, url }: IncomingMessage, password: string): boolean {
    const header = headers.authorization ?? '';
    if (!header.startsWith('Digest ')) return false;
    const field = (name: string): string => new RegExp(`[ ,]${name}="?([^",]*)"?`).exec(header)?.[1] ?? '';
    const [nonce, nc] = [field('nonce'), field('nc')];
    const used = this.#nonces.get(nonce);
    if (used === undefined || Number.parseInt(nc, 16) <= used || field('uri') !== url) return false;
    if (this.usesNonceOnce) this.#nonces.delete(nonce);
    else this.#nonces.set(nonce, Number.parseInt(nc, 16));
    const expected = hash(
      hash('admin', REALM, password),
      nonce,
      nc,
      field('cnonce'),
      'auth',
      hash(method ?? '', url ?? ''),
    );
    return field('response') === expected && field('username') === 'admin';
  }
}
