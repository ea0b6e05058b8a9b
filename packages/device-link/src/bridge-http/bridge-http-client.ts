import type { IncomingMessage } from 'node:http';
import { bridgeAddress } from './bridge-address.ts';
import { type BridgeHttpOptions, openBridgeConnection, TIMEOUT_MS } from './bridge-connection.ts';
import { exchangeHttp, type HttpRequest, type HttpResponse, readHttpResponse } from './http-exchange.ts';

const LARGEST_RESPONSE = 256 * 1024;

/**
 * HTTP requests to a bridge that has proven itself before anything is sent to it. Plain HTTP is for a bridge on this
 * machine only.
 */
export class BridgeHttpClient {
  readonly #bridgeUrl: string;
  readonly #options: BridgeHttpOptions;

  constructor(bridgeUrl: string, options: BridgeHttpOptions) {
    this.#bridgeUrl = bridgeUrl;
    this.#options = options;
  }

  /** The complete response with any status. `path` is relative to the bridge's URL. */
  async send(path: string, request: HttpRequest, largestResponse = LARGEST_RESPONSE): Promise<HttpResponse> {
    const { timeoutMs = TIMEOUT_MS, signal } = this.#options;
    const address = bridgeAddress(this.#bridgeUrl, path);
    const socket = await openBridgeConnection(address, this.#options);
    const response = await exchangeHttp(socket, address, request, { withinMs: timeoutMs, signal });
    return readHttpResponse(response, largestResponse);
  }

  /** The response as it arrives, for as long as it takes. Fails when nothing arrives for `silenceMs`. */
  async stream(path: string, request: HttpRequest, silenceMs: number): Promise<IncomingMessage> {
    const address = bridgeAddress(this.#bridgeUrl, path);
    const socket = await openBridgeConnection(address, this.#options);
    return exchangeHttp(socket, address, request, { silenceMs, signal: this.#options.signal });
  }
}
