import { computeMaxBackoffDelay } from '@lintel/service/timing/backoff';
import type { Instant } from '@lintel/access-core/instant';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import {
  SNAPSHOT_CHUNKS_PER_REQUEST,
  type SnapshotChunkMqttMessage,
} from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SyncRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import {
  type DecompressFrameBody,
  decompressFrameBodyAsync,
  type FrameBody,
} from '../frames/frame-body-compression.ts';
import type { UplinkPublisher } from '../uplink/uplink-publisher.ts';
import type {
  StoredRevision,
  SnapshotChunkStorageResult,
  SnapshotChunkRejectionReason,
  SnapshotStorage,
} from './snapshot-storage-interface.ts';

/** More than arrive at once, so that a sender that does not wait for requests costs no memory. */
const MOST_QUEUED = 2 * SNAPSHOT_CHUNKS_PER_REQUEST;
/** The next group is requested when this number of chunks of a group is not processed yet. */
const CHUNKS_LEFT_AT_REQUEST = SNAPSHOT_CHUNKS_PER_REQUEST / 2;
const RESPONSE_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** After so many unanswered requests the bridge may not know this device: a hello tells it everything. */
const HELLO_AT = 3;

const FAULT = 'digest_key_unknown';
const UNKNOWN_KEY = 'The bridge does not know the key for PINs and cards, so no credential it sends can match';

export interface SnapshotSyncDependencies {
  readonly snapshots: SnapshotStorage;
  readonly publisher: UplinkPublisher;
  readonly clock: MonotonicClock;
  readonly wall: { now(): Instant };
  readonly log: Log;
  /** Does not block the event loop by default. */
  readonly decompressSnapshots?: DecompressFrameBody;
  readonly setFault: (code: string, message: string | null) => void;
}

export interface SnapshotSyncHooks {
  readonly sendHello: () => void;
  /** The highest accepted counter of revocations. */
  readonly revokeCounter: () => number;
  readonly dropped: (kind: 'snapshot', why: string) => void;
  /** Another revision is active. */
  readonly applied: () => void;
}

/** Keeps the access snapshot current: receives chunks, and asks for what does not arrive. */
export class SnapshotSync {
  readonly #parts: SnapshotSyncDependencies;
  readonly #hooks: SnapshotSyncHooks;
  readonly #queue: FrameBody[] = [];
  #isWorking = false;
  #isOnline = false;
  /** The chunk before which the bridge waits for a request. */
  #groupEnd = SNAPSHOT_CHUNKS_PER_REQUEST;
  /** Requests since the last progress. */
  #requests = 0;
  #needsFullSnapshot = false;
  #lastProgress: MonotonicTime;
  /** A request is due; otherwise the timer only detects silence. */
  #isRequestDue = false;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: SnapshotSyncDependencies, hooks: SnapshotSyncHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
    this.#lastProgress = parts.clock.now();
  }

  /** For a hello or a sync request. The bridge then sends a group of chunks from here. */
  position(): Pick<SyncRequestMqttMessage, 'have' | 'resume'> {
    const transfer = this.#needsFullSnapshot ? null : this.#parts.snapshots.pendingTransfer();
    const resume = transfer === null ? null : { revision: transfer.revision, chunk: transfer.next_chunk };
    this.#groupEnd = (resume?.chunk ?? 0) + SNAPSHOT_CHUNKS_PER_REQUEST;
    return { have: this.#held(), resume };
  }

  #held(): SyncRequestMqttMessage['have'] {
    const held = this.#needsFullSnapshot ? null : this.#parts.snapshots.held();
    return held === null ? null : { revision: held.revision, digest: held.digest };
  }

  setOnline(isOnline: boolean): void {
    if (isOnline !== this.#isOnline) this.#requests = 0;
    this.#isOnline = isOnline;
    this.#cancelRequest();
    if (isOnline && this.#parts.snapshots.pendingTransfer() !== null) this.#requestIfSilent();
  }

  /** Milliseconds since the last chunk was accepted. */
  get msSinceProgress(): number {
    return this.#parts.clock.now() - this.#lastProgress;
  }

  /** Requests a sync: at once, then with backoff while no chunk arrives. */
  request(why: string, longestMs = LONGEST_PAUSE_MS): void {
    if (this.#isRequestDue) return;
    this.#parts.log('info', 'requests a snapshot from the bridge', { why });
    this.#requestIn(
      this.#requests === 0 ? 0 : computeMaxBackoffDelay({ firstMs: FIRST_PAUSE_MS, longestMs }, this.#requests - 1),
    );
  }

  /** The bridge has just reported that nothing is missing, so pending requests get no response. */
  upToDate(): void {
    if (this.#needsFullSnapshot || this.#parts.snapshots.pendingTransfer() !== null) return;
    this.#requests = 0;
    this.#cancelRequest();
  }

  #requestIn(milliseconds: number): void {
    this.#sendIn(milliseconds);
    this.#isRequestDue = true;
  }

  #requestIfSilent(): void {
    this.#sendIn(computeMaxBackoffDelay({ firstMs: RESPONSE_MS, longestMs: LONGEST_PAUSE_MS }, this.#requests));
  }

  #sendIn(milliseconds: number): void {
    this.#cancelRequest();
    const { clock } = this.#parts;
    this.#cancelTimer = clock.wake(addMilliseconds(clock.now(), milliseconds), () => this.#send());
  }

  #cancelRequest(): void {
    this.#isRequestDue = false;
    this.#cancelTimer();
  }

  #send(): void {
    this.#isRequestDue = false;
    if (!this.#isOnline) return;
    this.#requests += 1;
    if (this.#requests === HELLO_AT) this.#hooks.sendHello();
    else this.#publishRequest(this.position());
    this.#requestIfSilent();
  }

  #publishRequest(position: Pick<SyncRequestMqttMessage, 'have' | 'resume' | 'ahead'>): void {
    const revoke_counter = this.#hooks.revokeCounter();
    void this.#parts.publisher.publish('sync-request', { v: 1, ...position, revoke_counter });
  }

  /** The bridge sends the next group while this one is processed. If it does not arrive, it is requested again. */
  #requestNextGroup(revision: number): void {
    if (!this.#isOnline) return;
    const resume = { revision, chunk: this.#groupEnd };
    this.#groupEnd += SNAPSHOT_CHUNKS_PER_REQUEST;
    this.#publishRequest({ have: this.#held(), resume, ahead: true });
  }

  receive(chunk: FrameBody): void {
    if (this.#queue.length >= MOST_QUEUED) return this.#hooks.dropped('snapshot', 'more chunks than were asked for');
    this.#queue.push(chunk);
    if (!this.#isWorking) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      try {
        const chunk = await this.#read(next);
        if (chunk !== null) this.#continue(chunk, await this.#parts.snapshots.receive(chunk));
      } catch (error) {
        this.#parts.log('error', 'a snapshot chunk could not be stored', { why: String(error) });
        this.request('a chunk could not be stored');
      }
    }
    this.#isWorking = false;
  }

  async #read(body: FrameBody): Promise<SnapshotChunkMqttMessage | null> {
    const bytes = await (this.#parts.decompressSnapshots ?? decompressFrameBodyAsync)(body);
    const read = bytes.ok ? decodeMqttMessage('snapshot', bytes.value) : bytes;
    if (read.ok) return read.value;
    const [first] = read.problems;
    this.#hooks.dropped('snapshot', `${first?.path ?? ''} ${first?.code ?? 'invalid'}`.trim());
    this.request('a chunk cannot be read');
    return null;
  }

  #continue({ chunk, chunks, to }: SnapshotChunkMqttMessage, received: SnapshotChunkStorageResult): void {
    if (received.kind === 'refused') return this.#refused(received.reason);
    this.#requests = 0;
    this.#lastProgress = this.#parts.clock.now();
    if (received.kind === 'applied') return this.#activated(received.held);
    if (chunk === 0) this.#groupEnd = SNAPSHOT_CHUNKS_PER_REQUEST;
    const mayHaveNextGroup = chunks === null || this.#groupEnd < chunks;
    const isNextGroupDue = mayHaveNextGroup && chunk + 1 >= this.#groupEnd - CHUNKS_LEFT_AT_REQUEST;
    if (isNextGroupDue) this.#requestNextGroup(to);
    this.#requestIfSilent();
  }

  #activated({ revision, digest }: StoredRevision): void {
    const { publisher, wall, setFault } = this.#parts;
    this.#cancelRequest();
    this.#needsFullSnapshot = false;
    setFault(FAULT, null);
    void publisher.publish('active-revision', { v: 1, revision, digest, at: wall.now() });
    this.#hooks.applied();
  }

  #refused(reason: SnapshotChunkRejectionReason): void {
    if (reason === 'wrong_key') this.#parts.setFault(FAULT, UNKNOWN_KEY);
    // The same delta to the same base would have the same digest again.
    this.#needsFullSnapshot ||= reason === 'wrong_digest';
    this.request(reason);
  }
}
