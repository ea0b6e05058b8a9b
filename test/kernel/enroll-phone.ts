import {
  createMemoryEnrollmentStore,
  createMemoryKeyPairStore,
  createWebCryptoKeyStore,
  GuestApiClient,
  MemberPhone,
} from '@lintel/member-sdk';
import type { ImageSite } from '../image/virtual-machine/bridge-site-on-host.ts';

/** Node's fetch with the cookies that the bridge sets. */
const createFetchWithCookies = (): typeof fetch => {
  const cookies = new Map<string, string>();
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    return response;
  };
};

/** The phone of a member that has signed in with a magic link. */
export const enrollPhone = async (site: ImageSite, memberId: string): Promise<MemberPhone> => {
  const { link } = await site.call<{ link: string }>('POST', `/v2/members/${memberId}/magic_links`, {});
  const api = new GuestApiClient({
    bridgeUrl: `http://127.0.0.1:${site.ports.http}`,
    fetch: createFetchWithCookies(),
  });
  const keys = createWebCryptoKeyStore(createMemoryKeyPairStore());
  const phone = new MemberPhone({ api, keys, enrollments: createMemoryEnrollmentStore() });
  await api.signIn(link);
  await phone.enroll();
  return phone;
};
