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

export interface DemoBridgeTokens {
  /** Of the booking system. */
  readonly application: string;
  /** Applications cannot let controllers in. */
  readonly operator: string;
}

/** A client for the bridge's APIs. It renews its tokens when they have expired. */
export class DemoBridgeClient {
  readonly url: string;
  readonly organizationId: string;
  readonly #createTokens: () => Promise<DemoBridgeTokens>;
  #tokens: DemoBridgeTokens;

  constructor(
    url: string,
    organizationId: string,
    tokens: DemoBridgeTokens,
    createTokens: () => Promise<DemoBridgeTokens>,
  ) {
    this.url = url;
    this.organizationId = organizationId;
    this.#tokens = tokens;
    this.#createTokens = createTokens;
  }

  get token(): string {
    return this.#tokens.application;
  }

  async renewToken(): Promise<void> {
    this.#tokens = await this.#createTokens();
  }

  #send(method: Method, path: string, body: object | undefined, kind: keyof DemoBridgeTokens): Promise<HttpResponse> {
    const client = new BridgeHttpClient(this.url, { trust: TRUST, now: Date.now(), timeoutMs: TIMEOUT_MS });
    const request = { method, token: this.#tokens[kind], ...(body === undefined ? {} : { body }) };
    return client.send(path, request, MAX_RESPONSE_BYTES);
  }

  async #request<T>(kind: keyof DemoBridgeTokens, method: Method, path: string, body: object | undefined): Promise<T> {
    let response = await this.#send(method, path, body, kind);
    if (response.status === 401) {
      await this.renewToken();
      response = await this.#send(method, path, body, kind);
    }
    const { status, text } = response;
    if (status < 200 || status >= 300) throw new BridgeHttpStatusError(status, `${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  api<T>(method: Method, path: string, body?: object): Promise<T> {
    return this.#request('application', method, `v2${path}`, body);
  }

  admin<T>(method: Method, path: string, body?: object): Promise<T> {
    return this.#request('operator', method, `admin/v1/organizations/${this.organizationId}${path}`, body);
  }
}
