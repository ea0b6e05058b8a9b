import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { readReleasePublicKeys } from './release-files/release-keys.ts';
import { ReleaseError } from './release-files/release-error.ts';
import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReportMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update-report';
import type { UpdateReportState } from '@lintel/wire-protocol/updates/report-states';
import type { Log } from '@lintel/service/log-function-type';
import { fetchRelease } from './fetch-release.ts';
import { verifyAndUnpackRelease, buildReleaseFolderName } from './verify-and-unpack-release.ts';
import {
  computeOldestAcceptedVersion,
  type HealthBaseline,
  type PendingRelease,
  type ReleaseTrialResult,
} from './update-slot-state.ts';
import type { ReleasesFolder } from './releases-folder.ts';
import type { UpdateHandler } from './update-handler-interface.ts';
import type { ReleaseDownloadOptions } from './updatable-program-interface.ts';

export interface ReleaseUpdaterDependencies {
  readonly files: ReleasesFolder;
  readonly keysFolder: string;
  readonly program: string;
  readonly arch: string;
  /** The running version. */
  readonly version: string;
  readonly packageVersion: string;
  /** Name of the running release; empty for the program of the package. */
  readonly release: string;
  readonly log: Log;
  readonly bridgeAccess: () => ReleaseDownloadOptions | null;
  readonly waitUntilIdle: (withinMs: number, signal: AbortSignal) => Promise<void>;
  readonly health: () => HealthBaseline;
  /** Stops this process. systemd then starts the launcher, which starts the new version. */
  readonly restart: () => void;
}

type Order = Pick<UpdateMqttMessage, 'rollout_id' | 'release' | 'path' | 'token' | 'rate' | 'switch_within_s'>;

interface Work {
  readonly order: Order;
  readonly stop: AbortController;
}

const MAX_REASON_LENGTH = 300;
const IN_PROGRESS: ReadonlySet<string> = new Set(['downloading', 'ready', 'switched']);
const CANCELABLE: ReadonlySet<string> = new Set(['downloading', 'ready', 'failed']);
/** For a release that was installed locally, such as from a USB drive. */
const LOCAL_SWITCH_MS = 3_600_000;

/** Downloads and installs a release, and restarts the program when it is idle. */
export class ReleaseUpdater implements UpdateHandler {
  readonly #deps: ReleaseUpdaterDependencies;
  #report: UpdateReportMqttMessage | null = null;
  #work: Work | null = null;
  #switching: AbortController | null = null;
  #queue: Promise<void> = Promise.resolve();
  #onReport: () => void = () => undefined;

  constructor(deps: ReleaseUpdaterDependencies) {
    this.#deps = deps;
    const { last, candidate } = deps.files.read();
    if (candidate?.rollout_id != null) this.#setReport(candidate.rollout_id, 'switched');
    else if (last !== null) this.setResult(last);
  }

  report(): UpdateReportMqttMessage | null {
    return this.#report;
  }

  onReport(listener: () => void): void {
    this.#onReport = listener;
  }

  setResult({ rollout_id, result, reason }: ReleaseTrialResult): void {
    if (rollout_id !== null) this.#setReport(rollout_id, result, { reason });
  }

  #setReport(
    rollout_id: string,
    state: UpdateReportState,
    { percent = null, reason = null }: Partial<UpdateReportMqttMessage> = {},
  ): void {
    const { version: running } = this.#deps;
    this.#report = {
      v: 1,
      rollout_id: rollout_id as UpdateReportMqttMessage['rollout_id'],
      state,
      percent,
      running,
      reason: reason?.slice(0, MAX_REASON_LENGTH) ?? null,
    };
    this.#onReport();
  }

  handle(order: UpdateMqttMessage): void {
    const { rollout_id } = order;
    if (order.action === 'cancel') return this.#cancel(order);
    // A repeated message is answered with the current report.
    const isKnown = this.#report?.rollout_id === rollout_id && this.#report.state !== 'failed';
    if (isKnown && this.#report?.state !== 'cancelled') return this.#onReport();
    this.#abortWork();
    const { release, version } = this.#deps;
    const { version: requested, sha256 } = order.release;
    if (release === buildReleaseFolderName(requested, sha256) && version === requested)
      return this.#setReport(rollout_id, 'confirmed', { percent: 100 });
    const work = { order, stop: new AbortController() };
    this.#work = work;
    this.#setReport(rollout_id, 'downloading', { percent: 0 });
    // In sequence, because aborted work may still be writing.
    this.#queue = this.#queue.then(() => this.#execute(work));
  }

  #cancel(order: Order): void {
    const { rollout_id } = order;
    const { files } = this.#deps;
    const isOther = this.#report?.rollout_id !== rollout_id;
    // An unknown rollout does not affect the one in progress.
    if (isOther && IN_PROGRESS.has(this.#report?.state ?? '')) return;
    if (!isOther && !CANCELABLE.has(this.#report!.state)) return this.#onReport();
    this.#abortWork();
    if (files.pending()?.rollout_id === rollout_id) files.clearPending();
    this.#setReport(rollout_id, 'cancelled');
    // After aborted work that may still be writing, and before the next update.
    this.#queue = this.#queue.then(() => this.#deleteArchive(order));
  }

  async #deleteArchive(order: Order): Promise<void> {
    try {
      await rm(this.#archiveOf(order), { force: true });
    } catch (error) {
      this.#deps.log('warn', 'The download of a canceled update cannot be deleted', { why: (error as Error).message });
    }
  }

  #abortWork(): void {
    this.#work?.stop.abort();
    this.#work = null;
  }

  async #execute(work: Work): Promise<void> {
    const { order } = work;
    const { rollout_id, release } = order;
    try {
      work.stop.signal.throwIfAborted();
      const archive = await this.#fetch(work);
      work.stop.signal.throwIfAborted();
      const installed = await verifyAndUnpackRelease(archive, this.#installDependencies(), release);
      await rm(archive, { force: true });
      work.stop.signal.throwIfAborted();
      this.#deps.files.setPending({ id: randomUUID(), ...installed, rollout_id, before: null });
      this.#setReport(rollout_id, 'ready', { percent: 100 });
      this.#switchWhenIdle(order.switch_within_s * 1000);
    } catch (error) {
      if (work.stop.signal.aborted) return;
      await rm(this.#archiveOf(order), { force: true });
      const code = error instanceof ReleaseError ? error.code : 'failed';
      this.#deps.log('error', 'The update failed', { code, why: (error as Error).message });
      this.#setReport(rollout_id, 'failed', { reason: `${code}: ${(error as Error).message}` });
    }
  }

  #archiveOf({ release }: Order): string {
    return `${this.#deps.files.incoming}/${release.sha256}.part`;
  }

  #installDependencies() {
    const { files, keysFolder, program, arch, version, packageVersion, log } = this.#deps;
    const { slots, damage } = files.load();
    if (damage !== null) log('error', 'The update state is damaged', { why: damage });
    const machine = { program, arch, version, floor: computeOldestAcceptedVersion(slots, packageVersion) };
    return { files, keys: readReleasePublicKeys(keysFolder), machine };
  }

  #fetch({ order, stop }: Work): Promise<string> {
    const { files, log, bridgeAccess } = this.#deps;
    const { path, token, rate, rollout_id, release } = order;
    const { signal } = stop;
    let reported = 0;
    return fetchRelease({
      files,
      log,
      signal,
      ...release,
      source: () => {
        const access = bridgeAccess();
        if (access === null) return null;
        return { ...access, path, token, rate, httpOptions: { ...access.httpOptions, signal } };
      },
      onPercent: percent => {
        if (percent < reported + 5 || signal.aborted) return;
        reported = percent;
        this.#setReport(rollout_id, 'downloading', { percent });
      },
    });
  }

  /** Starts the switch to a pending release of `lintel update` or of an earlier run. */
  checkPending(): void {
    if (this.#switching === null && this.#deps.files.pending() !== null) this.#switchWhenIdle(LOCAL_SWITCH_MS);
  }

  #switchWhenIdle(withinMs: number): void {
    this.#switching?.abort();
    const waiting = new AbortController();
    this.#switching = waiting;
    void this.#switch(withinMs, waiting).finally(() => {
      if (this.#switching === waiting) this.#switching = null;
    });
  }

  async #switch(withinMs: number, { signal }: AbortController): Promise<void> {
    const { files, waitUntilIdle, restart, log } = this.#deps;
    try {
      // Recorded before the wait too: a power cut during the wait also starts the new version.
      this.#recordHealth();
      await waitUntilIdle(withinMs, signal);
      // The pending release may be canceled by now. A trial must end first.
      if (files.read().candidate !== null) return;
      const pending = this.#recordHealth();
      if (pending === null) return;
      log('info', 'Restarting into another version', { version: pending.version });
      if (pending.rollout_id !== null) this.#setReport(pending.rollout_id, 'switched', { percent: 100 });
      restart();
    } catch (error) {
      if (!signal.aborted) log('error', 'The new version cannot be started', { why: (error as Error).message });
    }
  }

  /** The new version is compared with the health of this one. Returns the pending release. */
  #recordHealth(): PendingRelease | null {
    const { files, health } = this.#deps;
    const pending = files.pending();
    if (pending !== null) files.setPending({ ...pending, before: health() });
    return pending;
  }

  stop(): void {
    this.#abortWork();
    this.#switching?.abort();
  }
}
