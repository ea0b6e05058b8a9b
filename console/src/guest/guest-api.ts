import type { CodeRequestAnswer, GuestAnswer } from '@lintel/wire-protocol/guest/guest-api';

/** Where the phone says it is. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
  readonly accuracy: number;
}

export type Failure =
  | { readonly kind: 'offline' }
  | { readonly kind: 'refused'; readonly type: string; readonly args: Readonly<Record<string, string>> };

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

const offline: Answer<never> = { ok: false, failure: { kind: 'offline' } };

const PATIENCE_MS = 20_000;

/** Whatever comes between the phone and the bridge (a hotel's login page, a proxy's error) counts as no connection. */
const ask = async <T>(method: string, path: string, body?: object): Promise<Answer<T>> => {
  try {
    const response = await fetch(`/guest/v1${path}`, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const value = (await response.json()) as T & { type?: string; args?: Record<string, string> };
    if (response.ok) return { ok: true, value };
    if (value.type === undefined) return offline;
    return { ok: false, failure: { kind: 'refused', type: value.type, args: value.args ?? {} } };
  } catch {
    return offline;
  }
};

export const api = {
  openLink: (magic_link: string) => ask<object>('POST', '/session', { magic_link }),
  signOut: () => ask<object>('DELETE', '/session'),
  sendCode: (email: string) => ask<CodeRequestAnswer>('POST', '/login', { email }),
  enterCode: (login_id: string, code: string) => ask<object>('POST', '/login/code', { login_id, code }),
  me: () => ask<GuestAnswer>('GET', '/me'),
  act: (gadgetId: string, actionId: string, body: { readonly member_id: string; readonly location?: Position }) =>
    ask<object>('POST', `/gadgets/${gadgetId}/actions/${actionId}`, body),
};
