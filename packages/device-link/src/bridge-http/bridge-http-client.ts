import type { IncomingMessage } from 'node:http';
import { buildBridgeUrl } from './bridge-url.ts';
import { type BridgeHttpOptions, openBridgeConnection, BRIDGE_REQUEST_TIMEOUT_MS } from './bridge-connection.ts';
import { sendHttpRequest, type HttpRequest, type HttpResponse, readHttpResponse } from './http-request.ts';

const LARGEST_RESPONSE = 256 * 1024;

/**
 * Sends HTTP requests to a bridge after its certificate was checked. Plain HTTP is allowed only on this machine.
 */
export class BridgeHttpClient {
  readonly #bridgeUrl: string;
  readonly #options: BridgeHttpOptions;

  constructor(bridgeUrl: string, options: BridgeHttpOptions) {
    this.#bridgeUrl = bridgeUrl;
    this.#options = options;
  }

  /** Returns the complete response with any status. `path` is relative to the bridge's URL. */
  async send(path: string, request: HttpRequest, largestResponse = LARGEST_RESPONSE): Promise<HttpResponse> {
    const { timeoutMs = BRIDGE_REQUEST_TIMEOUT_MS, signal } = this.#options;
    const address = buildBridgeUrl(this.#bridgeUrl, path);
    const socket = await openBridgeConnection(address, this.#options);
    const response = await sendHttpRequest(socket, address, request, { withinMs: timeoutMs, signal });
    return readHttpResponse(response, largestResponse);
  }

  /** Streams the response without a total timeout. Fails when nothing arrives for `silenceMs`. */
  async stream(path: string, request: HttpRequest, silenceMs: number): Promise<IncomingMessage> {
    const address = buildBridgeUrl(this.#bridgeUrl, path);
    const socket = await openBridgeConnection(address, this.#options);
    return sendHttpRequest(socket, address, request, { silenceMs, signal: this.#options.signal });
  }
}
