const PATIENCE_MS = 10_000;

export class BridgeRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The bridge's API with a token that is replaced when it has run out. */
export class BridgeClient {
  readonly url: string;
  readonly organizationId: string;
  readonly #mint: () => Promise<string>;
  #token: string;

  constructor(url: string, organizationId: string, token: string, mint: () => Promise<string>) {
    this.url = url;
    this.organizationId = organizationId;
    this.#token = token;
    this.#mint = mint;
  }

  get token(): string {
    return this.#token;
  }

  async renew(): Promise<void> {
    this.#token = await this.#mint();
  }

  #send(method: string, path: string, body: object | undefined): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #asked<T>(method: string, path: string, body: object | undefined): Promise<T> {
    let answer = await this.#send(method, path, body);
    if (answer.status === 401) {
      await this.renew();
      answer = await this.#send(method, path, body);
    }
    if (!answer.ok)
      throw new BridgeRefusal(answer.status, `${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  api<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#asked(method, `/v2${path}`, body);
  }

  admin<T>(method: string, path: string, body?: object): Promise<T> {
    return this.#asked(method, `/admin/v1/organizations/${this.organizationId}${path}`, body);
  }
}
