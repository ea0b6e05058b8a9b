import type { LightMyRequestResponse } from 'fastify';
import type { GuestMeResponse } from '@lintel/wire-protocol/guest/guest-api';
import type { TestBridge, TestOrganizationClient } from './test-bridge.ts';

interface GuestReply {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly body: Readonly<Record<string, unknown>> & {
    readonly type: string;
    readonly args: Readonly<Record<string, string>>;
  };
}

const USER_AGENT = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

/** A client of `/guest/v1` that keeps its cookies, as a guest's phone does. */
export class GuestPhone {
  readonly #bridge: TestBridge;
  readonly ip: string;
  /** The cookie of the session. */
  cookie: string | null = null;
  #deviceCookie: string | null = null;

  constructor(bridge: TestBridge, ip = '203.0.113.20') {
    this.#bridge = bridge;
    this.ip = ip;
  }

  async call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GuestReply> {
    const cookies = [this.cookie, this.#deviceCookie].filter(cookie => cookie !== null).join('; ');
    const answer = await this.#bridge.app.inject({
      method,
      url: `/guest/v1${path}`,
      remoteAddress: this.ip,
      headers: { 'user-agent': USER_AGENT, ...(cookies === '' ? {} : { cookie: cookies }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    for (const { name, value } of answer.cookies) {
      if (name === 'lintel_guest_device') this.#deviceCookie = `${name}=${value}`;
      else this.cookie = value === '' ? null : `${name}=${value}`;
    }
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  openLink(link: string): Promise<GuestReply> {
    return this.call('POST', '/session', { magic_link: link.split('/g/')[1] });
  }

  open(gadgetId: string, body: object = {}, actionId = 'open'): Promise<GuestReply> {
    return this.call('POST', `/gadgets/${gadgetId}/actions/${actionId}`, body);
  }

  /** The logged-in guest with sites and gadgets. Throws unless the response is 200. */
  async me(): Promise<GuestMeResponse> {
    const { status, body } = await this.call('GET', '/me');
    if (status !== 200) throw new Error(`GET /guest/v1/me: ${status} ${JSON.stringify(body)}`);
    return body as unknown as GuestMeResponse;
  }
}

/** Creates a member of a new group with these permissions, and a magic link for the member. */
export const createGuestWithLink = async (
  client: TestOrganizationClient,
  permissions: readonly object[],
  member: object = {},
) => {
  const group = await client.callOk('POST', '/member_groups', { name: 'Guests', permissions });
  const { id } = await client.callOk('POST', '/members', { name: 'Reservation 7, do not show', ...member });
  await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
  const created = await client.callOk('POST', `/members/${id}/magic_links`, {});
  return { memberId: id, groupId: group.id, linkId: created.id, link: created['link'] as string };
};

/** Requests to the bridge with a cookie jar, as the HTTP client of a phone has. */
export const createPhoneFetch = (bridge: TestBridge): typeof fetch => {
  let cookie: string | null = null;
  return async (url, { method = 'GET', body, headers } = {}) => {
    const answer = await bridge.app.inject({
      method: method as 'GET',
      url: new URL(url).pathname,
      headers: { ...(headers as Record<string, string>), ...(cookie === null ? {} : { cookie }) },
      ...(body === undefined ? {} : { payload: body as string }),
    });
    for (const { name, value } of answer.cookies) cookie = `${name}=${value}`;
    return new Response(answer.body, { status: answer.statusCode });
  };
};
