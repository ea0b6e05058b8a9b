import type { Dispatcher } from 'undici';

export interface WebhookReceiverResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body; empty if the request succeeded. */
  readonly excerpt: string;
}

/** Exactly one of them is called, once. */
export interface WebhookExchangeListener {
  readonly responded: (response: WebhookReceiverResponse) => void;
  readonly failed: (error: Error) => void;
}

/** The body must be read before the connection can be reused. With a longer body, the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_EXCERPT_CHARS = 1000;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One request and its response, without the streams of `undici.request`, which take more time than the request itself. */
export class WebhookExchange implements Dispatcher.DispatchHandler {
  readonly #listener: WebhookExchangeListener;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #retryAfter: string | undefined;
  readonly #excerpt: Buffer[] = [];
  #bytes = 0;
  #isOver = false;

  constructor(timeoutMs: number, listener: WebhookExchangeListener) {
    this.#listener = listener;
    this.#timer = setTimeout(() => this.#abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('The request is over'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < MAX_EXCERPT_CHARS && !isSuccess(this.#status)) this.#excerpt.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_BODY_BYTES) this.onResponseEnd();
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const text = Buffer.concat(this.#excerpt).toString('utf8').replaceAll('\0', '');
    const excerpt = text.slice(0, MAX_EXCERPT_CHARS);
    this.#listener.responded({ status: this.#status, retryAfter: this.#retryAfter, excerpt });
    if (this.#bytes > MAX_BODY_BYTES) this.#controller?.abort(new Error('The response is too long'));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#end()) this.#listener.failed(error);
  }

  #abort(error: Error): void {
    this.onResponseError(null, error);
    this.#controller?.abort(error);
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    return true;
  }
}
