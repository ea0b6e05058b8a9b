import { GuestApiClient } from '@lintel/member-sdk';
import { toPhoneKey } from '@lintel/drivers/hardware';
import { fromBase64url, toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { DemoBridgeClient } from './demo-bridge-client.ts';

/** Keeps the session cookie, as the HTTP client of a phone does. */
const createCookieFetch = (): typeof fetch => {
  let cookie: string | null = null;
  return async (url, options = {}) => {
    const headers = new Headers(options.headers);
    if (cookie !== null) headers.set('cookie', cookie);
    const response = await fetch(url, { ...options, headers });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
};

/** The Bluetooth key of the organization, which a phone gets when its member registers it. */
export const registerPhoneForBluetoothKey = async (
  bridge: DemoBridgeClient,
  memberId: string,
  memberToken: string,
): Promise<Uint8Array> => {
  const links = `/members/${memberId}/magic_links`;
  const { id, link } = await bridge.api<MemberMagicLinkRevealedResponse>('POST', links, {});
  try {
    const api = new GuestApiClient({ bridgeUrl: bridge.url, fetch: createCookieFetch() });
    await api.signIn(link);
    const { bluetooth_key } = await api.registerKey(memberId, toBase64url(toPhoneKey(memberToken)!.publicKey));
    return fromBase64url(bluetooth_key)!;
  } finally {
    await bridge.api('DELETE', `${links}/${id}`);
  }
};
