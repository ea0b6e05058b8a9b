import type { Sessions } from './sessions.ts';
import type { DeviceSync } from './slice/device-sync.ts';
import type { Storage } from '../storage/open-storage.ts';

/** Commits that follow one another closely are told together; revocations do not wait for this. */
const GATHER_MS = 20;

/** Slices wait for it: what was revoked is known at all doors before they are told anything else. */
type AfterRevocations = (organizationId: string) => Promise<void>;

type InLane = (deviceId: string, work: () => Promise<void>) => void;

/** Tells the connected controllers of an organization what has changed for them. */
export class SlicePushes {
  readonly #sessions: Sessions;
  readonly #sync: DeviceSync;
  readonly #inLane: InLane;
  readonly #afterRevocations: AfterRevocations;
  readonly #onError: (error: unknown) => void;
  readonly #gathering = new Map<string, NodeJS.Timeout>();

  constructor(
    sessions: Sessions,
    sync: DeviceSync,
    inLane: InLane,
    afterRevocations: AfterRevocations,
    onError: (error: unknown) => void,
  ) {
    this.#sessions = sessions;
    this.#sync = sync;
    this.#inLane = inLane;
    this.#afterRevocations = afterRevocations;
    this.#onError = onError;
  }

  soon(organizationId: string): void {
    if (this.#gathering.has(organizationId) || this.#sessions.in(organizationId).length === 0) return;
    const timer = setTimeout(() => {
      this.#gathering.delete(organizationId);
      this.#push(organizationId, 'only changes').catch(this.#onError);
    }, GATHER_MS);
    this.#gathering.set(organizationId, timer);
  }

  async #push(organizationId: string, when: 'only changes' | 'also when nothing has changed'): Promise<void> {
    await this.#afterRevocations(organizationId);
    const view = await this.#sync.views.current(organizationId);
    if (view === null) return;
    const told = this.#sessions.in(organizationId).map(
      session =>
        new Promise<void>(resolve => {
          this.#inLane(session.deviceId, () => this.#sync.advance(session, view, when).finally(resolve));
        }),
    );
    await Promise.all(told);
    view.forgetRecords();
  }

  /** Also those controllers that nothing concerned: they may forget revocations of what they never held. */
  async bringAll(): Promise<void> {
    for (const id of this.#sessions.organizations()) await this.#push(id, 'also when nothing has changed');
  }

  /** Other processes write too: the command line beside a running bridge, and other bridges. */
  async lookElsewhere({ reader }: Storage): Promise<void> {
    const ids = this.#sessions.organizations();
    for (let at = 0; at < ids.length; at += 500) {
      const page = ids.slice(at, at + 500);
      const rows = await reader
        .selectFrom('organizations')
        .select(['id', 'revision'])
        .where('id', 'in', page)
        .execute();
      for (const { id, revision } of rows) {
        const isBehind = this.#sessions
          .in(id)
          .some(({ slice, outstanding }) => slice !== null && outstanding === null && slice.checked < revision);
        if (isBehind) this.soon(id);
      }
    }
  }

  close(): void {
    for (const timer of this.#gathering.values()) clearTimeout(timer);
  }
}
