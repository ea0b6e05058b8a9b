import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import type { TechnicianHello, TechnicianSession } from '@lintel/wire-protocol/technician/login';
import { type Answer, type Failure, isRefusedWith } from './answer.ts';
import { type Heard, withHappening } from './happenings.ts';
import { LiveLine } from './live-line.ts';
import type { Place } from './place.ts';
import { type Secret, SecretMemory } from './secret-memory.ts';
import { Store } from './store.ts';
import { askController, type Request } from './technician-api.ts';

export interface Presence {
  /** `out`: somebody has to show a code or a pass. */
  readonly entry: 'looking' | 'out' | 'in';
  /** There is work under way below the login. */
  readonly wasIn: boolean;
}

/** `full`: as many look already as the controller lets look. */
export type Link = 'connecting' | 'live' | 'lost' | 'full';

const LOOK_AGAIN_MS = 3_000;

/** A technician at one controller: who they are to it, and what it says. Outlives every screen. */
export class Visit {
  readonly place: Place;
  readonly hello = new Store<TechnicianHello | null>(null);
  readonly presence = new Store<Presence>({ entry: 'looking', wasIn: false });
  /** Why it is not known yet whether the controller knows this browser. */
  readonly trouble = new Store<Failure | null>(null);
  readonly link = new Store<Link>('connecting');
  readonly heard = new Store<readonly Heard[]>([]);
  /** Grows when what was read before may be old: after a login, and when a lost line is back. */
  readonly era = new Store(0);
  readonly #listeners = new Set<(what: LiveHappening) => void>();
  readonly #secrets = new SecretMemory();
  readonly #line: LiveLine;
  #csrf: string | null = null;
  #entering: Promise<boolean> | null = null;

  constructor(place: Place) {
    this.place = place;
    this.#line = new LiveLine({
      address: `${place.base}/live`,
      heard: what => this.#hear(what),
      connected: () => {
        if (this.link.value !== 'connecting') this.#renew();
        this.link.set('live');
      },
      lost: status => void this.#lost(status),
    });
  }

  /** Whether the controller still knows this browser; asks again for as long as nobody answers. */
  async begin(): Promise<void> {
    await this.look();
    await this.#fetchCsrf();
    if (this.place.kind === 'list') return this.presence.set({ entry: 'in', wasIn: true });
    const known = await askController(this.place.base, { method: 'GET', path: '/status' }, null);
    if (known.ok) this.#comeIn();
    else if (isRefusedWith(known.failure, 401)) this.#beOut();
    else {
      this.trouble.set(known.failure);
      setTimeout(() => void this.begin(), LOOK_AGAIN_MS);
    }
  }

  async look(): Promise<void> {
    if (this.place.kind === 'list') return;
    const hello = await askController<TechnicianHello>(this.place.base, { method: 'GET', path: '/hello' }, null);
    if (hello.ok) this.hello.set(hello.value);
  }

  async #fetchCsrf(): Promise<void> {
    if (!this.place.isRemote) return;
    const session = await askController<{ csrf_token?: string }>(
      '',
      { method: 'GET', path: '/admin/v1/session' },
      null,
    );
    if (session.ok) this.#csrf = session.value.csrf_token ?? null;
  }

  listen(listener: (what: LiveHappening) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async ask<T>(request: Request): Promise<Answer<T>> {
    const first = await askController<T>(this.place.base, request, this.#csrf);
    const answer =
      !first.ok && isRefusedWith(first.failure, 401) && (await this.#enterAgain())
        ? await askController<T>(this.place.base, request, this.#csrf)
        : first;
    if (answer.ok) {
      this.#secrets.used(performance.now());
      this.#line.hurry();
    } else if (isRefusedWith(answer.failure, 401)) this.#beOut();
    return answer;
  }

  async login(secret: Secret): Promise<Answer<TechnicianSession>> {
    const request = { method: 'POST', path: '/login', body: secret } as const;
    const answer = await askController<TechnicianSession>(this.place.base, request, null);
    if (answer.ok) {
      this.#secrets.keep(secret, answer.value.idle_seconds * 1_000, performance.now());
      this.#comeIn();
    }
    void this.look();
    return answer;
  }

  async logout(): Promise<void> {
    this.#secrets.forget();
    await askController(this.place.base, { method: 'POST', path: '/logout', body: {} }, null);
    this.presence.set({ entry: 'out', wasIn: false });
    this.heard.set([]);
    this.#line.close();
  }

  /** One at a time, however many requests were refused together. */
  #enterAgain(): Promise<boolean> {
    this.#entering ??= this.#tryToEnter().finally(() => {
      this.#entering = null;
    });
    return this.#entering;
  }

  async #tryToEnter(): Promise<boolean> {
    if (this.place.isRemote || this.presence.value.entry === 'out') return false;
    await this.look();
    const secret = this.#secrets.recall(this.hello.value?.login ?? [], performance.now());
    if (secret === null) return false;
    const { ok } = await this.login(secret);
    if (!ok) this.#secrets.forget();
    return ok;
  }

  #comeIn(): void {
    this.presence.set({ entry: 'in', wasIn: true });
    this.#renew();
    if (this.#line.isOpen) this.#line.hurry();
    else this.#line.open();
  }

  #beOut(): void {
    const { entry, wasIn } = this.presence.value;
    if (entry !== 'out') this.presence.set({ entry: 'out', wasIn });
    this.#line.close();
  }

  async #lost(status: number | null): Promise<void> {
    this.link.set(status === 409 ? 'full' : 'lost');
    if (status === 401 && !(await this.#enterAgain())) this.#beOut();
  }

  #renew(): void {
    this.era.set(this.era.value + 1);
  }

  #hear(what: LiveHappening): void {
    this.heard.set(withHappening(this.heard.value, what, Date.now()));
    for (const listener of this.#listeners) listener(what);
  }
}
