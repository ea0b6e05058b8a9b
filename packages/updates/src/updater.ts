import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { readReleaseKeys } from './release-files/release-keys.ts';
import { ReleaseError } from './release-files/release-error.ts';
import type { Update } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReport, UpdateStep } from '@lintel/wire-protocol/mqtt/messages/update-report';
import type { Log } from '@lintel/service/log';
import { fetchRelease } from './fetch-release.ts';
import { installRelease, releaseName } from './install-release.ts';
import { floorOf, type Health, type Outcome } from './slot-machine.ts';
import type { SlotFiles } from './slot-files.ts';
import type { UpdateDesk } from './device/update-desk.ts';
import type { WayToBridge } from './updated-program.ts';

export interface UpdaterParts {
  readonly files: SlotFiles;
  readonly keysFolder: string;
  readonly program: string;
  readonly arch: string;
  /** What runs, and of the package beside it. */
  readonly version: string;
  readonly packageVersion: string;
  /** The name of the release that runs; empty for the package's own. */
  readonly release: string;
  readonly log: Log;
  readonly way: () => WayToBridge | null;
  /** Settles when it can be left alone. */
  readonly quiet: (withinMs: number, signal: AbortSignal) => Promise<void>;
  readonly health: () => Health;
  /** Ends this process in an orderly way: whoever starts it again starts the new version. */
  readonly restart: () => void;
}

type Order = Pick<Update, 'rollout_id' | 'release' | 'path' | 'token' | 'rate' | 'switch_within_s'>;

interface Work {
  readonly order: Order;
  readonly stop: AbortController;
}

const LONGEST_REASON = 300;
const UNDER_WAY: ReadonlySet<string> = new Set(['downloading', 'ready', 'switched']);
/** What an order can still be taken back from. */
const CALLED_BACK: ReadonlySet<string> = new Set(['downloading', 'ready', 'failed']);
/** For a release that somebody has brought along. */
const LOCAL_SWITCH_MS = 3_600_000;

/** Takes a release from an order to the moment in which the next start runs it. */
export class Updater implements UpdateDesk {
  readonly #parts: UpdaterParts;
  #report: UpdateReport | null = null;
  #work: Work | null = null;
  #switching: AbortController | null = null;
  #queue: Promise<void> = Promise.resolve();
  #tell: () => void = () => undefined;

  constructor(parts: UpdaterParts) {
    this.#parts = parts;
    const { last, candidate } = parts.files.read();
    if (candidate?.rollout_id != null) this.#say(candidate.rollout_id, 'switched');
    else if (last?.rollout_id != null) this.#ended(last);
  }

  report(): UpdateReport | null {
    return this.#report;
  }

  onReport(listener: () => void): void {
    this.#tell = listener;
  }

  ended(outcome: Outcome): void {
    if (outcome.rollout_id !== null) this.#ended(outcome);
  }

  #ended({ rollout_id, result, reason }: Outcome): void {
    this.#say(rollout_id!, result, { reason });
  }

  #say(rollout_id: string, state: UpdateStep, { percent = null, reason = null }: Partial<UpdateReport> = {}): void {
    const { version: running } = this.#parts;
    this.#report = {
      v: 1,
      rollout_id: rollout_id as UpdateReport['rollout_id'],
      state,
      percent,
      running,
      reason: reason?.slice(0, LONGEST_REASON) ?? null,
    };
    this.#tell();
  }

  ordered(order: Update): void {
    const { rollout_id } = order;
    if (order.action === 'cancel') return this.#cancel(order);
    // Said again: how far it is is the answer.
    const isKnown = this.#report?.rollout_id === rollout_id && this.#report.state !== 'failed';
    if (isKnown && this.#report?.state !== 'cancelled') return this.#tell();
    this.#giveUpWork();
    const { release, version } = this.#parts;
    const { version: wanted, sha256 } = order.release;
    if (release === releaseName(wanted, sha256) && version === wanted)
      return this.#say(rollout_id, 'confirmed', { percent: 100 });
    const work = { order, stop: new AbortController() };
    this.#work = work;
    this.#say(rollout_id, 'downloading', { percent: 0 });
    // One after another: what was given up may still be writing.
    this.#queue = this.#queue.then(() => this.#carryOut(work));
  }

  #cancel(order: Order): void {
    const { rollout_id } = order;
    const { files } = this.#parts;
    const isOther = this.#report?.rollout_id !== rollout_id;
    // Of an order that was forgotten here, or never heard: what it does for another one goes on.
    if (isOther && UNDER_WAY.has(this.#report?.state ?? '')) return;
    if (!isOther && !CALLED_BACK.has(this.#report!.state)) return this.#tell();
    this.#giveUpWork();
    if (files.pending()?.rollout_id === rollout_id) files.dropWish();
    this.#say(rollout_id, 'cancelled');
    // Behind what may still be writing, and before what is ordered next.
    this.#queue = this.#queue.then(() => this.#dropArchive(order));
  }

  async #dropArchive(order: Order): Promise<void> {
    try {
      await rm(this.#archiveOf(order), { force: true });
    } catch (error) {
      this.#parts.log('warn', 'what was fetched of a release stays', { why: (error as Error).message });
    }
  }

  #giveUpWork(): void {
    this.#work?.stop.abort();
    this.#work = null;
  }

  async #carryOut(work: Work): Promise<void> {
    const { order } = work;
    const { rollout_id, release } = order;
    try {
      work.stop.signal.throwIfAborted();
      const archive = await this.#fetch(work);
      work.stop.signal.throwIfAborted();
      const installed = await installRelease(archive, this.#installParts(), release);
      await rm(archive, { force: true });
      work.stop.signal.throwIfAborted();
      this.#parts.files.wish({ id: randomUUID(), ...installed, rollout_id, before: null });
      this.#say(rollout_id, 'ready', { percent: 100 });
      this.#switchSoon(order.switch_within_s * 1000);
    } catch (error) {
      if (work.stop.signal.aborted) return;
      await rm(this.#archiveOf(order), { force: true });
      const code = error instanceof ReleaseError ? error.code : 'failed';
      this.#parts.log('error', 'the update is refused', { code, why: (error as Error).message });
      this.#say(rollout_id, 'failed', { reason: `${code}: ${(error as Error).message}` });
    }
  }

  #archiveOf({ release }: Order): string {
    return `${this.#parts.files.incoming}/${release.sha256}.part`;
  }

  #installParts() {
    const { files, keysFolder, program, arch, version, packageVersion, log } = this.#parts;
    const { slots, damage } = files.kept();
    if (damage !== null) log('error', 'the state of the updates is damaged', { why: damage });
    const machine = { program, arch, version, floor: floorOf(slots, packageVersion) };
    return { files, keys: readReleaseKeys(keysFolder), machine };
  }

  #fetch({ order, stop }: Work): Promise<string> {
    const { files, log, way } = this.#parts;
    const { path, token, rate, rollout_id, release } = order;
    const { signal } = stop;
    let told = 0;
    return fetchRelease({
      files,
      log,
      signal,
      ...release,
      source: () => {
        const found = way();
        return found === null ? null : { ...found, path, token, rate, terms: { ...found.terms, signal } };
      },
      onPercent: percent => {
        if (percent < told + 5 || signal.aborted) return;
        told = percent;
        this.#say(rollout_id, 'downloading', { percent });
      },
    });
  }

  /** Looks for what somebody else has put there: the command beside this program, or an earlier run. */
  lookForWish(): void {
    if (this.#switching === null && this.#parts.files.pending() !== null) this.#switchSoon(LOCAL_SWITCH_MS);
  }

  #switchSoon(withinMs: number): void {
    this.#switching?.abort();
    const waiting = new AbortController();
    this.#switching = waiting;
    void this.#switch(withinMs, waiting).finally(() => {
      if (this.#switching === waiting) this.#switching = null;
    });
  }

  async #switch(withinMs: number, { signal }: AbortController): Promise<void> {
    const { files, quiet, health, restart, log } = this.#parts;
    try {
      await quiet(withinMs, signal);
      const pending = files.pending();
      // A version on trial is settled first; a wish that was taken back meanwhile is none.
      if (pending === null || files.read().candidate !== null) return;
      files.wish({ ...pending, before: health() });
      log('info', 'making way for another version', { version: pending.version });
      if (pending.rollout_id !== null) this.#say(pending.rollout_id, 'switched', { percent: 100 });
      restart();
    } catch (error) {
      if (!signal.aborted) log('error', 'the new version cannot be started', { why: (error as Error).message });
    }
  }

  stop(): void {
    this.#giveUpWork();
    this.#switching?.abort();
  }
}
