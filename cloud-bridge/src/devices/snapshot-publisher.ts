import type { DeviceSessionRegistry } from './device-session-registry.ts';
import type { DeviceSnapshotSync } from './access-snapshot/device-snapshot-sync.ts';
import type { Storage } from '../storage/open-storage.ts';

/** Commits within this time are sent together. Revocations do not wait. */
const BATCH_MS = 20;

/** Runs before each push: all revocations reach the controllers before any other change. */
type BeforePush = (organizationId: string) => Promise<void>;

type EnqueueSync = (deviceId: string, task: () => Promise<void>) => void;

/** Sends changes of an organization to its connected controllers. */
export class SnapshotPublisher {
  readonly #sessions: DeviceSessionRegistry;
  readonly #sync: DeviceSnapshotSync;
  readonly #enqueueSync: EnqueueSync;
  readonly #beforePush: BeforePush;
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(
    sessions: DeviceSessionRegistry,
    sync: DeviceSnapshotSync,
    enqueueSync: EnqueueSync,
    beforePush: BeforePush,
    onError: (error: unknown) => void,
  ) {
    this.#sessions = sessions;
    this.#sync = sync;
    this.#enqueueSync = enqueueSync;
    this.#beforePush = beforePush;
    this.#onError = onError;
  }

  schedulePush(organizationId: string): void {
    if (this.#timers.has(organizationId) || this.#sessions.inOrganization(organizationId).length === 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(organizationId);
      this.#push(organizationId, 'if-changed').catch(this.#onError);
    }, BATCH_MS);
    this.#timers.set(organizationId, timer);
  }

  async #push(organizationId: string, condition: 'if-changed' | 'always'): Promise<void> {
    await this.#beforePush(organizationId);
    const view = await this.#sync.views.current(organizationId);
    if (view === null) return;
    const pushes = this.#sessions.inOrganization(organizationId).map(
      session =>
        new Promise<void>(resolve => {
          this.#enqueueSync(session.deviceId, () => this.#sync.sendChanges(session, view, condition).finally(resolve));
        }),
    );
    await Promise.all(pushes);
    view.clearRecords();
  }

  /** Also sends the revision to controllers without a change, so that they can delete revocations they do not need. */
  async pushAll(): Promise<void> {
    for (const id of this.#sessions.organizations()) await this.#push(id, 'always');
  }

  /** Finds changes that another process wrote: a command on this machine or another bridge. */
  async pushExternalChanges({ reader }: Storage): Promise<void> {
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
          .inOrganization(id)
          .some(
            ({ snapshot, pendingRevision }) =>
              snapshot !== null && pendingRevision === null && snapshot.checkedRevision < revision,
          );
        if (isBehind) this.schedulePush(id);
      }
    }
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
