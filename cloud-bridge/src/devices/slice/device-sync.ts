import { CHUNKS_AT_ONCE } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { Serving } from '@lintel/wire-protocol/mqtt/messages/serving';
import type { SyncRequest } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import type { Services } from '../../services.ts';
import type { Downlink } from '../downlink/downlink.ts';
import { type KnownSlice, noteSent, type Session, type Sessions } from '../sessions.ts';
import { KeptTransfers } from './kept-transfers.ts';
import type { OrganizationView } from './organization-view.ts';
import { OrganizationViews } from './organization-views.ts';
import type { ServedRevisions } from './served-revisions.ts';
import { SliceBuilder } from './slice-builder.ts';
import { sliceDelta } from './slice-delta.ts';
import { readScope, writeScope } from './slice-scope.ts';
import { SliceStates } from './slice-states.ts';
import { SliceTransfer } from './slice-transfer.ts';

type Have = SyncRequest['have'];

export interface SyncParts {
  readonly services: Pick<Services, 'storage' | 'masterKeys' | 'clock'>;
  readonly sessions: Sessions;
  readonly downlink: Downlink;
  readonly served: ServedRevisions;
  /** A controller serves something else than it was sent. */
  readonly onDrift: (deviceId: string, revision: number) => void;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number | undefined;
}

/** Keeps the controllers' slices what they should be: a delta where it is known what they hold, a snapshot where not. */
export class DeviceSync {
  readonly #parts: SyncParts;
  readonly #states = new SliceStates();
  readonly #builder: SliceBuilder;
  readonly #transfers = new KeptTransfers();
  readonly views: OrganizationViews;

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.#builder = new SliceBuilder(this.#states, parts.chunkCharacters);
    this.views = new OrganizationViews(parts.services);
  }

  async #bring(session: Session, have: Have): Promise<void> {
    const view = await this.views.current(session.organizationId);
    if (view === null || !this.#parts.sessions.isCurrent(session)) return;
    const base = have === null ? null : await this.#knownSlice(session, have);
    const isWithinReach = have !== null && have.revision >= view.horizon && have.revision <= view.revision;
    if (base === null || !isWithinReach) return this.#sendSnapshot(session, view);
    session.slice = { ...base, told: have.revision, checked: have.revision };
    session.outstanding = null;
    await this.advance(session, view, 'also when nothing has changed');
  }

  /** After a hello, or when the controller asks: the rest of what it has in part, or all that it lacks. */
  async ask(session: Session, { have, resume }: SyncRequest): Promise<void> {
    const transfer = resume === null ? null : this.#transfers.find(session.deviceId, resume.revision);
    const isOfUse = transfer?.ends.digestKeyId === session.digestKeyId && resume!.chunk < transfer.chunks;
    if (!isOfUse || (transfer.ends.from !== null && transfer.ends.from !== have?.revision)) {
      return this.#bring(session, have);
    }
    await this.#send(session, transfer, resume!.chunk);
  }

  /** From what the controller was last known to serve; it asks by itself if that is not so any more. */
  async goOn(session: Session): Promise<void> {
    if (session.slice !== null) return;
    const row = await this.#parts.served.find(session.deviceId);
    await this.#bring(session, row === undefined ? null : { revision: row.revision, digest: row.digest });
  }

  async #knownSlice({ sent, deviceId, digestKeyId }: Session, have: NonNullable<Have>): Promise<KnownSlice | null> {
    const known = sent.get(have.revision);
    if (known?.digest === have.digest) return known;
    const row = await this.#parts.served.find(deviceId);
    const isSame = row?.revision === have.revision && row.digest === have.digest && row.digest_key_id === digestKeyId;
    return isSame ? { digest: row.digest, scope: readScope(row.scope) } : null;
  }

  /** From what the controller was told last to the view. Nothing is sent where nothing concerns it, unless it asked. */
  async advance(session: Session, view: OrganizationView, when: 'only changes' | 'also when nothing has changed') {
    const { slice } = session;
    if (slice === null || session.outstanding !== null || !this.#parts.sessions.isCurrent(session)) return;
    if (slice.checked < view.horizon) return this.#sendSnapshot(session, view);
    const delta = await sliceDelta(view, session.deviceId, slice.checked, slice.scope, session.digester);
    if (delta === null) return;
    const isEmpty = delta.put.length === 0 && delta.drop.length === 0;
    if (isEmpty && (when === 'only changes' || slice.told === view.revision)) {
      const checked = Math.max(slice.checked, view.revision);
      session.slice = { ...slice, scope: delta.scope, checked };
      return;
    }
    const transfer = isEmpty
      ? await this.#emptyTransfer(session, view, slice.digest, slice.told)
      : await this.#builder.delta(view, session, slice.told, slice.digest, delta);
    if (transfer !== null) await this.#send(session, transfer);
  }

  #emptyTransfer({ slice, digestKeyId }: Session, { revision }: OrganizationView, digest: string, from: number) {
    return new SliceTransfer({ from, to: revision, digestKeyId }, slice!.scope).finish(digest);
  }

  async #sendSnapshot(session: Session, view: OrganizationView): Promise<void> {
    const own = await view.ownStructure(session.deviceId);
    if (own !== null) await this.#send(session, await this.#builder.snapshot(view, own, session));
  }

  async #send(session: Session, transfer: SliceTransfer, fromChunk = 0): Promise<void> {
    const { digest, scope, ends } = transfer;
    session.slice = { digest, scope, told: ends.to, checked: ends.to };
    session.outstanding = transfer.chunks > 1 ? ends.to : null;
    noteSent(session, ends.to, { digest, scope });
    if (transfer.chunks > 1) this.#transfers.keep(session.deviceId, transfer);
    const count = Math.min(CHUNKS_AT_ONCE, transfer.chunks - fromChunk);
    const chunks = Array.from({ length: count }, (_, index) => transfer.chunk(fromChunk + index));
    await this.#parts.downlink.sendChunks(session, chunks);
  }

  /** The controller's word on what it decides by from now on. */
  async serves(session: Session, { revision, digest }: Serving): Promise<void> {
    const sent = session.sent.get(revision) ?? (await this.#currentSlice(session, revision, digest));
    if (sent === null) return;
    if (sent.digest !== digest) {
      this.#parts.onDrift(session.deviceId, revision);
      return this.#bring(session, null);
    }
    for (const older of session.sent.keys()) if (older < revision) session.sent.delete(older);
    this.#transfers.drop(session.deviceId);
    this.#parts.served.note({
      device_id: session.deviceId,
      organization_id: session.organizationId,
      revision,
      digest,
      digest_key_id: session.digestKeyId,
      scope: writeScope(sent.scope),
      served_at: this.#parts.services.clock(),
    });
    if (session.outstanding !== revision) return;
    session.outstanding = null;
    const view = await this.views.current(session.organizationId);
    if (view !== null) await this.advance(session, view, 'only changes');
  }

  /** Another bridge may have sent it. */
  async #currentSlice(session: Session, revision: number, digest: string): Promise<KnownSlice | null> {
    const view = await this.views.current(session.organizationId);
    const own = view?.revision === revision ? await view.ownStructure(session.deviceId) : null;
    return own === null ? null : { digest, scope: own.scope };
  }

  forget(deviceId: string): void {
    this.#states.forget(deviceId);
    this.#transfers.drop(deviceId);
  }
}
