import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import type {
  TechnicianChallengeResponse,
  TechnicianHelloResponse,
  TechnicianLoginRequest,
  TechnicianSessionResponse,
} from '@lintel/wire-protocol/technician/login';
import { createTechnicianPassLoginRequest } from '@lintel/wire-protocol/technician/login-proof';
import * as loginMessages from '../messages/english/login.ts';
import { deleteTechnicianPass, signWithTechnicianPassKey } from '../pass/pass-store.ts';
import {
  type TechnicianApiError,
  type TechnicianApiResult,
  isTechnicianApiRejectionWith,
  parseTechnicianApiError,
} from './api-result.ts';
import { LoginCredentialCache, type LoginCredential } from './login-credential-cache.ts';
import type { ControllerEndpoint } from './controller-endpoint.ts';
import { LiveConnection } from './live-connection.ts';
import { type LiveLogEntry, prependToLiveLog } from './prepend-to-live-log.ts';
import { type TechnicianApiRequest, sendTechnicianRequest } from './send-request.ts';
import { ObservableValue } from './observable-value.ts';

export interface LoginState {
  readonly status: 'unknown' | 'logged_out' | 'logged_in';
  /** Whether unfinished work is still on the page. */
  readonly wasLoggedIn: boolean;
}

/** `full`: the controller has reached its limit of live connections. `forbidden`: the role does not show events. */
export type LiveConnectionState = 'connecting' | 'live' | 'lost' | 'full' | 'forbidden';

const RETRY_MS = 3_000;

/** The login and the live connection of the page. Independent of the screens. */
export class ControllerSession {
  readonly endpoint: ControllerEndpoint;
  readonly hello = new ObservableValue<TechnicianHelloResponse | null>(null);
  readonly loginState = new ObservableValue<LoginState>({ status: 'unknown', wasLoggedIn: false });
  /** Why the login state is still unknown. */
  readonly error = new ObservableValue<TechnicianApiError | null>(null);
  readonly linkState = new ObservableValue<LiveConnectionState>('connecting');
  /** How often the controller has begun to wait for a card. */
  readonly cardWaits = new ObservableValue(0);
  readonly liveLog = new ObservableValue<readonly LiveLogEntry[]>([]);
  /** Increases when loaded data may be outdated: after a login and after a reconnection. */
  readonly refreshCount = new ObservableValue(0);
  readonly #listeners = new Set<(event: TechnicianLiveMessage) => void>();
  readonly #credentials = new LoginCredentialCache();
  readonly #live: LiveConnection;
  #csrf: string | null = null;
  #login: Promise<boolean> | null = null;

  constructor(endpoint: ControllerEndpoint) {
    this.endpoint = endpoint;
    this.#live = new LiveConnection({
      url: `${endpoint.base}/live`,
      onEvent: event => this.#onLiveEvent(event),
      onConnect: () => {
        if (this.linkState.value !== 'connecting') this.#refresh();
        this.linkState.set('live');
      },
      onDisconnect: status => void this.#onDisconnect(status),
    });
  }

  /** Determines the login state, and retries until the controller responds. */
  async start(): Promise<void> {
    await this.loadHello();
    await this.#loadCsrf();
    if (this.endpoint.kind === 'device_list') return this.loginState.set({ status: 'logged_in', wasLoggedIn: true });
    const status = await sendTechnicianRequest(this.endpoint.base, { method: 'GET', path: '/status' }, null);
    if (status.ok) this.#onLoggedIn();
    else if (isTechnicianApiRejectionWith(status.error, 401)) this.#onLoggedOut();
    else {
      this.error.set(status.error);
      setTimeout(() => void this.start(), RETRY_MS);
    }
  }

  async loadHello(): Promise<void> {
    if (this.endpoint.kind === 'device_list') return;
    const hello = await sendTechnicianRequest<TechnicianHelloResponse>(
      this.endpoint.base,
      { method: 'GET', path: '/hello' },
      null,
    );
    if (hello.ok) this.hello.set(hello.value);
  }

  async #loadCsrf(): Promise<void> {
    if (!this.endpoint.isRemote) return;
    const session = await sendTechnicianRequest<{ csrf_token?: string }>(
      '',
      { method: 'GET', path: '/admin/v1/session' },
      null,
    );
    if (session.ok) this.#csrf = session.value.csrf_token ?? null;
  }

  subscribe(listener: (event: TechnicianLiveMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async request<T>(request: TechnicianApiRequest): Promise<TechnicianApiResult<T>> {
    const first = await sendTechnicianRequest<T>(this.endpoint.base, request, this.#csrf);
    const result =
      !first.ok && isTechnicianApiRejectionWith(first.error, 401) && (await this.#loginAgain())
        ? await sendTechnicianRequest<T>(this.endpoint.base, request, this.#csrf)
        : first;
    if (result.ok) {
      this.#credentials.touch(performance.now());
      this.#live.retryNow();
    } else if (isTechnicianApiRejectionWith(result.error, 401)) this.#onLoggedOut();
    return result;
  }

  async login(credential: LoginCredential): Promise<TechnicianApiResult<TechnicianSessionResponse>> {
    const body = await this.#loginRequest(credential);
    if (!body.ok) return body;
    const request = { method: 'POST', path: '/login', body: body.value } as const;
    const result = await sendTechnicianRequest<TechnicianSessionResponse>(this.endpoint.base, request, null);
    if (result.ok) {
      this.#credentials.store(credential, result.value.idle_seconds * 1_000, performance.now());
      this.#onLoggedIn();
    }
    void this.loadHello();
    return result;
  }

  /** Proves the possession of the key of a pass. */
  async #loginRequest(credential: LoginCredential): Promise<TechnicianApiResult<TechnicianLoginRequest>> {
    if ('code' in credential) return { ok: true, value: credential };
    const request = { method: 'POST', path: '/challenge', body: {} } as const;
    const challenge = await sendTechnicianRequest<TechnicianChallengeResponse>(this.endpoint.base, request, null);
    if (!challenge.ok) return challenge;
    const value = await createTechnicianPassLoginRequest(
      credential.pass,
      challenge.value,
      signWithTechnicianPassKey,
    ).catch(() => null);
    if (value !== null) return { ok: true, value };
    const message = loginMessages.technicianPassOfOtherBrowserText;
    return { ok: false, error: parseTechnicianApiError(401, { type: 'unauthorized', message }, null) };
  }

  /** Also deletes the technician pass and its key. */
  async logout(): Promise<void> {
    if (this.endpoint.isRemote) return this.#logoutFromBridge();
    this.#credentials.clear();
    await deleteTechnicianPass().catch(() => undefined);
    await sendTechnicianRequest(this.endpoint.base, { method: 'POST', path: '/logout', body: {} }, null);
    this.loginState.set({ status: 'logged_out', wasLoggedIn: false });
    this.liveLog.set([]);
    this.#live.close();
  }

  async #logoutFromBridge(): Promise<void> {
    this.#live.close();
    const body = new URLSearchParams({ form_token: this.#csrf ?? '' });
    await fetch('/logout', { method: 'POST', body, credentials: 'same-origin', redirect: 'manual' });
    location.assign('/login?return_to=/technician');
  }

  /** Logs in once for all requests that were rejected at the same time. */
  #loginAgain(): Promise<boolean> {
    this.#login ??= this.#loginWithCachedCredential().finally(() => {
      this.#login = null;
    });
    return this.#login;
  }

  async #loginWithCachedCredential(): Promise<boolean> {
    if (this.endpoint.isRemote || this.loginState.value.status === 'logged_out') return false;
    await this.loadHello();
    const credential = this.#credentials.get(this.hello.value?.login ?? [], performance.now());
    if (credential === null) return false;
    const { ok } = await this.login(credential);
    if (!ok) this.#credentials.clear();
    return ok;
  }

  #onLoggedIn(): void {
    this.loginState.set({ status: 'logged_in', wasLoggedIn: true });
    this.#refresh();
    if (this.#live.isOpen) this.#live.retryNow();
    else this.#live.open();
  }

  #onLoggedOut(): void {
    const { status, wasLoggedIn } = this.loginState.value;
    if (status !== 'logged_out') this.loginState.set({ status: 'logged_out', wasLoggedIn });
    this.#live.close();
  }

  async #onDisconnect(status: number | null): Promise<void> {
    if (status === 403) {
      this.linkState.set('forbidden');
      return this.#live.close();
    }
    this.linkState.set(status === 409 ? 'full' : 'lost');
    if (status === 401 && !(await this.#loginAgain())) this.#onLoggedOut();
  }

  #refresh(): void {
    this.refreshCount.set(this.refreshCount.value + 1);
  }

  #onLiveEvent(event: TechnicianLiveMessage): void {
    if (event.type === 'awaiting_card') this.cardWaits.set(this.cardWaits.value + 1);
    this.liveLog.set(prependToLiveLog(this.liveLog.value, event, Date.now()));
    for (const listener of this.#listeners) listener(event);
  }
}
