import { BridgeHttpClient } from '@lintel/device-link/bridge-http/bridge-http-client';
import type { HttpRequest, HttpResponse } from '@lintel/device-link/bridge-http/http-request';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const TRUST = { fingerprint: null, authority: null, bySystem: true };

type Method = HttpRequest['method'];

export class BridgeHttpStatusError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A client for the bridge's API. It renews its token when the token has expired. */
export class DemoBridgeClient {
  readonly url: string;
  readonly organizationId: string;
  readonly #createToken: () => Promise<string>;
  #token: string;

  constructor(url: string, organizationId: string, token: string, createToken: () => Promise<string>) {
    this.url = url;
    this.organizationId = organizationId;
    this.#token = token;
    this.#createToken = createToken;
  }

  get token(): string {
    return this.#token;
  }

  async renewToken(): Promise<void> {
    this.#token = await this.#createToken();
  }

  #send(method: Method, path: string, body: object | undefined): Promise<HttpResponse> {
    const client = new BridgeHttpClient(this.url, { trust: TRUST, now: Date.now(), timeoutMs: TIMEOUT_MS });
    const request = { method, token: this.#token, ...(body === undefined ? {} : { body }) };
    return client.send(path, request, MAX_RESPONSE_BYTES);
  }

  async #request<T>(method: Method, path: string, body: object | undefined): Promise<T> {
    let response = await this.#send(method, path, body);
    if (response.status === 401) {
      await this.renewToken();
      response = await this.#send(method, path, body);
    }
    const { status, text } = response;
    if (status < 200 || status >= 300) throw new BridgeHttpStatusError(status, `${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  api<T>(method: Method, path: string, body?: object): Promise<T> {
    return this.#request(method, `v2${path}`, body);
  }

  admin<T>(method: Method, path: string, body?: object): Promise<T> {
    return this.#request(method, `admin/v1/organizations/${this.organizationId}${path}`, body);
  }
}
