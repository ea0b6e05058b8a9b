import { createCredentialDigester } from '@lintel/crypto/credential-digester';
import { SNAPSHOT_CHUNKS_PER_REQUEST } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { ActiveRevisionMqttMessage } from '@lintel/wire-protocol/mqtt/messages/active-revision';
import type { SyncRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { DownlinkSender } from '../downlink/downlink-sender.ts';
import {
  type SnapshotDigestAndScope,
  recordSentSnapshot,
  type SentSnapshotState,
  type ActiveDeviceSession,
  type DeviceSessionRegistry,
} from '../device-session-registry.ts';
import { PendingSnapshotTransfers } from './pending-snapshot-transfers.ts';
import type { OrganizationSnapshotData, OrganizationSnapshotDataDependencies } from './organization-snapshot-data.ts';
import { OrganizationSnapshotDataCache } from './organization-snapshot-data-cache.ts';
import type { ServedRevisions } from './served-revisions.ts';
import { SnapshotTransferBuilder } from './snapshot-transfer-builder.ts';
import { computeSnapshotDelta, type SnapshotDelta } from './snapshot-delta.ts';
import { parseSnapshotScope, serializeSnapshotScope } from './snapshot-scope-serialization.ts';
import { SnapshotEntryHashCache } from './snapshot-entry-hash-cache.ts';
import { SnapshotTransfer } from './snapshot-transfer.ts';

/** After that, the controller receives a full snapshot. */
const MAX_HASH_BUILDS = 3;

type HeldRevision = SyncRequestMqttMessage['have'];

export interface DeviceSnapshotSyncDependencies extends OrganizationSnapshotDataDependencies {
  readonly services: Pick<BridgeServices, 'storage' | 'masterKeys' | 'clock'>;
  readonly sessions: DeviceSessionRegistry;
  readonly downlink: DownlinkSender;
  readonly served: ServedRevisions;
  /** Called when a controller serves a snapshot with another digest than the sent one. */
  readonly onDigestMismatch: (deviceId: string, revision: number) => void;
  /** Called instead of sending to a confirmed controller through a gateway that waits for its confirmation. */
  readonly onWaitingGateway: (session: ActiveDeviceSession) => void;
  /** Size of a snapshot chunk, before compression. */
  readonly chunkCharacters?: number | undefined;
}

/** Sends access data to controllers: a delta if their current snapshot is known, otherwise a full snapshot. */
export class DeviceSnapshotSync {
  readonly #dependencies: DeviceSnapshotSyncDependencies;
  readonly #hashes = new SnapshotEntryHashCache();
  readonly #builder: SnapshotTransferBuilder;
  readonly #transfers = new PendingSnapshotTransfers();
  readonly views: OrganizationSnapshotDataCache;

  constructor(dependencies: DeviceSnapshotSyncDependencies) {
    this.#dependencies = dependencies;
    this.#builder = new SnapshotTransferBuilder(this.#hashes, dependencies.chunkCharacters);
    this.views = new OrganizationSnapshotDataCache(dependencies);
  }

  async #sendMissingChanges(session: ActiveDeviceSession, held: HeldRevision): Promise<void> {
    const view = await this.views.current(session.organizationId);
    if (view === null || !this.#dependencies.sessions.isCurrent(session)) return;
    if (await this.#isBehindWaitingGateway(session, view)) return this.#dependencies.onWaitingGateway(session);
    const base = held === null ? null : await this.#findSnapshotState(session, held);
    const isDeltaPossible = held !== null && held.revision >= view.horizon && held.revision <= view.revision;
    if (base === null || !isDeltaPossible) return this.#sendSnapshot(session, view);
    session.snapshot = { ...base, sentRevision: held.revision, checkedRevision: held.revision };
    session.pendingRevision = null;
    await this.sendChanges(session, view, 'always');
  }

  /** Continues an incomplete transfer if the controller asks for it, otherwise sends all missing changes. */
  async handleSyncRequest(
    session: ActiveDeviceSession,
    { have: held, resume, ahead }: SyncRequestMqttMessage,
  ): Promise<void> {
    const transfer = resume === null ? null : this.#transfers.find(session.deviceId, resume.revision);
    const isUsable = transfer?.range.digestKeyId === session.digestKeyId;
    if (!isUsable || (transfer.range.from !== null && transfer.range.from !== held?.revision))
      return this.#sendMissingChanges(session, held);
    const { chunk } = resume!;
    const isPastEnd = transfer.digest !== null && chunk >= transfer.chunks;
    if (!isPastEnd) await this.#send(session, transfer, chunk);
    else if (ahead !== true) await this.#sendMissingChanges(session, held);
  }

  /** The groups that were in any snapshot of the controller. */
  groupsSentTo(deviceId: string): Promise<ReadonlySet<string>> {
    return this.#dependencies.served.groupsOf(deviceId);
  }

  /** Whether this bridge has sent the snapshot. */
  async isKnown(session: ActiveDeviceSession, held: NonNullable<HeldRevision>): Promise<boolean> {
    return (await this.#findSnapshotState(session, held)) !== null;
  }

  async #findSnapshotState(
    { sentSnapshots, deviceId, digestKeyId }: ActiveDeviceSession,
    held: NonNullable<HeldRevision>,
  ): Promise<SnapshotDigestAndScope | null> {
    const known = sentSnapshots.get(held.revision);
    if (known?.digest === held.digest) return known;
    const row = await this.#dependencies.served.find(deviceId);
    const isSame = row?.revision === held.revision && row.digest === held.digest && row.digest_key_id === digestKeyId;
    return isSame ? { digest: row.digest, scope: parseSnapshotScope(row.scope) } : null;
  }

  /** Sends the changes between the last sent revision and the view. With `always`, also sends an empty delta. */
  async sendChanges(session: ActiveDeviceSession, view: OrganizationSnapshotData, condition: 'if-changed' | 'always') {
    const { snapshot } = session;
    if (snapshot === null || session.pendingRevision !== null || !this.#dependencies.sessions.isCurrent(session))
      return;
    if (await this.#isBehindWaitingGateway(session, view)) return this.#dependencies.onWaitingGateway(session);
    if (snapshot.checkedRevision < view.horizon) return this.#sendSnapshot(session, view);
    const delta = await this.#computeDelta(session, snapshot, view);
    if (delta === null) return;
    const isEmpty = delta.put.length === 0 && delta.drop.length === 0;
    if (isEmpty && (condition === 'if-changed' || snapshot.sentRevision === view.revision)) {
      const checkedRevision = Math.max(snapshot.checkedRevision, view.revision);
      session.snapshot = { ...snapshot, scope: delta.scope, checkedRevision };
      return;
    }
    if (isEmpty)
      return this.#send(session, await this.#emptyTransfer(session, view, snapshot.digest, snapshot.sentRevision));
    const hashes = this.#hashes.take(session.deviceId, snapshot.digest);
    if (hashes === null) return this.#sendDeltaWithNewHashes(session, snapshot, { view, delta });
    await this.#send(session, await this.#builder.buildDelta(view, session, snapshot.sentRevision, hashes, delta));
  }

  /** The controller may have connected before it was confirmed. */
  async #isBehindWaitingGateway(
    { deviceId, origin: { from } }: ActiveDeviceSession,
    view: OrganizationSnapshotData,
  ): Promise<boolean> {
    if (from === null || from === deviceId) return false;
    const { unconfirmed } = await view.structure();
    return unconfirmed.has(from) && !unconfirmed.has(deviceId);
  }

  #computeDelta(
    { deviceId, digestKey }: ActiveDeviceSession,
    { checkedRevision, scope }: SentSnapshotState,
    view: OrganizationSnapshotData,
  ): Promise<SnapshotDelta | null> {
    return computeSnapshotDelta(view, deviceId, checkedRevision, scope, createCredentialDigester(digestKey));
  }

  /**
   * Without cached hashes, for example after a start of the bridge, the digest is computed from the full snapshot. Members
   * that change while it is read may be in it and not in the delta, so the delta is computed again afterwards. If other
   * objects change, everything is read again.
   */
  async #sendDeltaWithNewHashes(
    session: ActiveDeviceSession,
    snapshot: SentSnapshotState,
    first: { readonly view: OrganizationSnapshotData; readonly delta: SnapshotDelta },
  ): Promise<void> {
    let { view, delta } = first;
    for (let attempt = 1; attempt <= MAX_HASH_BUILDS; attempt++) {
      const hashes = await this.#builder.buildHashes(view, session);
      const newest = await this.views.current(session.organizationId);
      if (hashes === null || newest === null) return;
      const earlier = view;
      if (newest.revision !== earlier.revision) {
        if (snapshot.checkedRevision < newest.horizon) break;
        const newDelta = await this.#computeDelta(session, snapshot, newest);
        if (newDelta === null) return;
        [view, delta] = [newest, newDelta];
        const { others } = await newest.changesSince(earlier.revision);
        if (others.length > 0) continue;
      }
      return this.#send(session, await this.#builder.buildDelta(view, session, snapshot.sentRevision, hashes, delta));
    }
    await this.#sendSnapshot(session, view);
  }

  #emptyTransfer(
    { snapshot, digestKeyId }: ActiveDeviceSession,
    { revision }: OrganizationSnapshotData,
    digest: string,
    from: number,
  ) {
    return new SnapshotTransfer({ from, to: revision, digestKeyId }, snapshot!.scope).finish(digest);
  }

  async #sendSnapshot(session: ActiveDeviceSession, view: OrganizationSnapshotData): Promise<void> {
    const structure = await view.structureFor(session.deviceId);
    if (structure !== null) await this.#send(session, this.#builder.startSnapshot(view, structure, session));
  }

  /** Sends a group of chunks. */
  async #send(session: ActiveDeviceSession, transfer: SnapshotTransfer, fromChunk = 0): Promise<void> {
    const { snapshot, pendingRevision } = session;
    session.pendingRevision = transfer.range.to;
    try {
      if (!session.acceptsOpenSnapshots) await transfer.whenFinished();
      const end = fromChunk + SNAPSHOT_CHUNKS_PER_REQUEST;
      for (let next = fromChunk; next < end; ) {
        const chunks = await transfer.readyChunks(next, end);
        if (chunks.length === 0 || !this.#dependencies.sessions.isCurrent(session)) return;
        this.#recordSending(session, transfer);
        await this.#dependencies.downlink.sendChunks(session, chunks);
        next += chunks.length;
      }
    } catch (error) {
      // Not sent: the next attempt must not take it for sent.
      Object.assign(session, { snapshot, pendingRevision: transfer.hasFailed ? null : pendingRevision });
      if (transfer.hasFailed) this.#transfers.remove(session.deviceId);
      throw error;
    }
  }

  /** Before the chunks are sent, because the controller may answer before the broker does. */
  #recordSending(session: ActiveDeviceSession, transfer: SnapshotTransfer): void {
    const { digest, scope, range } = transfer;
    if (transfer.chunks > 1) this.#transfers.add(session.deviceId, transfer);
    const earlierGroups = session.snapshot?.scope.groups;
    if ([...scope.groups].some(group => earlierGroups?.has(group) !== true))
      this.#dependencies.served.recordGroups({
        device_id: session.deviceId,
        organization_id: session.organizationId,
        groups: scope.groups,
      });
    if (digest === null) return;
    session.snapshot = { digest, scope, sentRevision: range.to, checkedRevision: range.to };
    if (transfer.chunks === 1) session.pendingRevision = null;
    recordSentSnapshot(session, range.to, { digest, scope });
  }

  /** The controller reports the revision that it uses for decisions from now on. */
  async handleActiveRevision(
    session: ActiveDeviceSession,
    { revision, digest }: ActiveRevisionMqttMessage,
  ): Promise<void> {
    const sent = session.sentSnapshots.get(revision) ?? (await this.#currentSnapshotState(session, revision, digest));
    if (sent === null) return;
    if (sent.digest !== digest) {
      this.#dependencies.onDigestMismatch(session.deviceId, revision);
      return this.#sendMissingChanges(session, null);
    }
    for (const older of session.sentSnapshots.keys()) if (older < revision) session.sentSnapshots.delete(older);
    this.#transfers.remove(session.deviceId);
    this.#dependencies.served.record({
      device_id: session.deviceId,
      organization_id: session.organizationId,
      revision,
      digest,
      digest_key_id: session.digestKeyId,
      scope: serializeSnapshotScope(sent.scope),
      served_at: this.#dependencies.services.clock(),
    });
    if (session.pendingRevision !== revision) return;
    session.pendingRevision = null;
    const view = await this.views.current(session.organizationId);
    if (view !== null) await this.sendChanges(session, view, 'if-changed');
  }

  /** For a snapshot that another bridge sent. */
  async #currentSnapshotState(
    session: ActiveDeviceSession,
    revision: number,
    digest: string,
  ): Promise<SnapshotDigestAndScope | null> {
    const view = await this.views.current(session.organizationId);
    const structure = view?.revision === revision ? await view.structureFor(session.deviceId) : null;
    return structure === null ? null : { digest, scope: structure.scope };
  }

  forget(deviceId: string): void {
    this.#hashes.remove(deviceId);
    this.#transfers.remove(deviceId);
  }
}
