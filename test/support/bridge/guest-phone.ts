import type { LightMyRequestResponse } from 'fastify';
import type { GuestAnswer } from '@lintel/wire-protocol/guest/guest-api';
import type { BridgeWorld, OrganizationClient } from './bridge-world.ts';

interface GuestReply {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly body: Readonly<Record<string, unknown>> & {
    readonly type: string;
    readonly args: Readonly<Record<string, string>>;
  };
}

const USER_AGENT = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

/** A guest's phone without a screen: keeps the cookie and speaks `/guest/v1`. */
export class GuestPhone {
  readonly #world: BridgeWorld;
  readonly #ip: string;
  cookie: string | null = null;

  constructor(world: BridgeWorld, ip = '203.0.113.20') {
    this.#world = world;
    this.#ip = ip;
  }

  async call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GuestReply> {
    const answer = await this.#world.bridge.app.inject({
      method,
      url: `/guest/v1${path}`,
      remoteAddress: this.#ip,
      headers: { 'user-agent': USER_AGENT, ...(this.cookie === null ? {} : { cookie: this.cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    for (const { name, value } of answer.cookies) this.cookie = value === '' ? null : `${name}=${value}`;
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  openLink(link: string): Promise<GuestReply> {
    return this.call('POST', '/session', { magic_link: link.split('/g/')[1] });
  }

  open(gadgetId: string, body: object = {}, actionId = 'open'): Promise<GuestReply> {
    return this.call('POST', `/gadgets/${gadgetId}/actions/${actionId}`, body);
  }

  /** Who is logged in here, and what they may do; that must succeed. */
  async me(): Promise<GuestAnswer> {
    const { status, body } = await this.call('GET', '/me');
    if (status !== 200) throw new Error(`GET /guest/v1/me: ${status} ${JSON.stringify(body)}`);
    return body as unknown as GuestAnswer;
  }
}

/** A member of a new group with these rules, and a magic link. */
export const aGuest = async (client: OrganizationClient, permissions: readonly object[], member: object = {}) => {
  const group = await client.done('POST', '/member_groups', { name: 'Guests', permissions });
  const { id } = await client.done('POST', '/members', { name: 'Reservation 7, do not show', ...member });
  await client.done('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
  const created = await client.done('POST', `/members/${id}/magic_links`, {});
  return { memberId: id, groupId: group.id, linkId: created.id, link: created['link'] as string };
};
