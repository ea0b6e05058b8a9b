import type { GuestMeResponse, PhoneEnrollmentResponse } from '@lintel/wire-protocol/guest/guest-api';

/** The bridge refused a request. `type` and `args` are those of the API. */
export class MemberApiError extends Error {
  override readonly name = 'MemberApiError';
  readonly status: number;
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;

  constructor(status: number, type: string, message: string, args: Readonly<Record<string, string>>) {
    super(message);
    this.status = status;
    this.type = type;
    this.args = args;
  }
}

interface ErrorBody {
  readonly type?: string;
  readonly message?: string;
  readonly args?: Readonly<Record<string, string>>;
}

export interface GuestApiClientOptions {
  /** The public URL of the bridge. In its own pages: an empty text. */
  readonly bridgeUrl: string;
  /** Must keep cookies, as browsers and the HTTP clients of phones do. Default: the one of the platform. */
  readonly fetch?: typeof fetch;
}

/** The requests of `/guest/v1` that a phone needs. */
export class GuestApiClient {
  readonly #bridgeUrl: string;
  readonly #fetch: typeof fetch;

  constructor({ bridgeUrl, fetch: send }: GuestApiClientOptions) {
    this.#bridgeUrl = bridgeUrl.replace(/\/$/, '');
    this.#fetch = send ?? ((...request) => fetch(...request));
  }

  /** Signs in with a magic link, or with the token at its end. */
  async signIn(magicLink: string): Promise<void> {
    await this.#call('POST', '/session', { magic_link: magicLink.split('/g/').at(-1) });
  }

  me(): Promise<GuestMeResponse> {
    return this.#call('GET', '/me') as Promise<GuestMeResponse>;
  }

  registerKey(memberId: string, publicKey: string): Promise<PhoneEnrollmentResponse> {
    const body = { member_id: memberId, public_key: publicKey };
    return this.#call('POST', '/phone_keys', body) as Promise<PhoneEnrollmentResponse>;
  }

  /** Deletes the key of this phone from the bridge. */
  async deleteKey(memberTokenId: string): Promise<void> {
    await this.#call('DELETE', `/phone_keys/${memberTokenId}`);
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#fetch(`${this.#bridgeUrl}/guest/v1${path}`, {
      method,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const { type = 'internal', message = `The bridge answered ${response.status}`, args = {} } = answer as ErrorBody;
    throw new MemberApiError(response.status, type, message, args);
  }
}
