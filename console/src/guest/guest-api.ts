import type {
  GuestLoginCodeResponse,
  GuestMeResponse,
  GuestPinsResponse,
  PhoneEnrollmentResponse,
} from '@lintel/wire-protocol/guest/guest-api';

export interface GuestPhoneLocation {
  readonly lat: number;
  readonly lng: number;
  readonly accuracy: number;
}

export type GuestApiError =
  | { readonly kind: 'offline' }
  | { readonly kind: 'rejected'; readonly type: string; readonly args: Readonly<Record<string, string>> };

export type GuestApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: GuestApiError };

const offline: GuestApiResult<never> = { ok: false, error: { kind: 'offline' } };

const TIMEOUT_MS = 20_000;

/** A response that is not from the bridge, for example of a captive portal, counts as offline. */
const request = async <T>(
  method: string,
  path: string,
  body?: object,
  timeoutMs = TIMEOUT_MS,
): Promise<GuestApiResult<T>> => {
  try {
    const response = await fetch(`/guest/v1${path}`, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const value = (await response.json()) as T & { type?: string; args?: Record<string, string> };
    if (response.ok) return { ok: true, value };
    if (value.type === undefined) return offline;
    return { ok: false, error: { kind: 'rejected', type: value.type, args: value.args ?? {} } };
  } catch {
    return offline;
  }
};

export const guestApi = {
  openLink: (magic_link: string) => request<object>('POST', '/session', { magic_link }),
  signOut: () => request<object>('DELETE', '/session'),
  sendCode: (email: string) => request<GuestLoginCodeResponse>('POST', '/login', { email }),
  enterCode: (login_id: string, code: string) => request<object>('POST', '/login/code', { login_id, code }),
  me: (timeoutMs?: number) => request<GuestMeResponse>('GET', '/me', undefined, timeoutMs),
  revealPins: (member_id: string) => request<GuestPinsResponse>('POST', '/pins/reveal', { member_id }),
  registerPhone: (body: { readonly member_id: string; readonly public_key: string }) =>
    request<PhoneEnrollmentResponse>('POST', '/phone_keys', body),
  deletePhone: (memberTokenId: string) => request<object>('DELETE', `/phone_keys/${memberTokenId}`),
  act: (
    gadgetId: string,
    actionId: string,
    body: { readonly member_id: string; readonly location?: GuestPhoneLocation },
  ) => request<object>('POST', `/gadgets/${gadgetId}/actions/${actionId}`, body),
};
