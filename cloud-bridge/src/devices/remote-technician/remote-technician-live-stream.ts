import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import type { FastifyReply } from 'fastify';
import type { LiveMessageSubscriber } from './live-message-subscriptions.ts';

const MAX_UNSENT_BYTES = 256 * 1024;
const HEARTBEAT_MS = 5_000;

/** Server-sent events for one remote technician. Ends when the client reads too slowly; the client reconnects. */
export class RemoteTechnicianLiveStream implements LiveMessageSubscriber {
  readonly #reply: FastifyReply;
  #lastId = 0;
  /** Messages that arrive before the response starts. */
  #early: string[] | null = [];
  #end: () => void = () => undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
  }

  readonly onMessage: LiveMessageSubscriber['onMessage'] = message =>
    this.#send(`id: ${++this.#lastId}\ndata: ${JSON.stringify(message)}\n\n`);

  readonly onEnd = (): void => this.#end();

  #send(text: string): void {
    if (this.#early !== null) {
      this.#early.push(text);
      return;
    }
    const { raw } = this.#reply;
    raw.write(text);
    if (raw.writableLength > MAX_UNSENT_BYTES) this.#end();
  }

  /** Checks `isAuthorized` with each heartbeat. Calls `onClose` once. */
  start(isAuthorized: () => Promise<boolean>, onClose: () => void): void {
    const reply = this.#reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
    });
    const beat = async (): Promise<void> => ((await isAuthorized()) ? this.#send(': heartbeat\n\n') : this.#end());
    const stopHeartbeat = repeatEvery(HEARTBEAT_MS, beat);
    this.#end = () => {
      this.#end = () => undefined;
      stopHeartbeat();
      onClose();
      raw.destroy();
    };
    if (raw.destroyed) return this.#end();
    raw.on('close', () => this.#end());
    raw.on('error', () => this.#end());
    const early = this.#early ?? [];
    this.#early = null;
    this.#send(`retry: 2000\n\n${early.join('')}`);
  }
}
