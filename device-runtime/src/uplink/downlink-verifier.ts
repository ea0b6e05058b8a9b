import { failed, type Problem, problem, type Result, ok } from '@lintel/access-core/result';
import type { Monotonic } from '@lintel/access-core/monotonic';
import { freshWindow, type ReplayWindow, replayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { checkFrame, decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import * as z from 'zod';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';
import type { DownWord, UpstreamIdentity } from './upstream.ts';
import type { FrameBody } from './frame-body.ts';

/**
 * Numbers that are taken as seen ahead of need, so that not every message waits for the disk. After a crash the bridge
 * is told the highest of them in the hello and goes on above it.
 */
const AHEAD = 256;

const savedWindow = z.object({ serial: z.string(), window: replayWindow });

export interface Admitted extends FrameBody {
  readonly counter: number;
  /** How long ago a later message was admitted; 0 for the latest. */
  readonly late_ms: number;
}

interface DownGateParts {
  readonly identity: () => UpstreamIdentity | null;
  readonly state: StateStore;
  readonly clock: MonotonicClock;
}

const unclaimed: readonly Problem[] = [
  problem('', 'unclaimed', 'nobody may speak to a controller that is not claimed'),
];

/** Lets in what the organization has signed for this very controller and its certificate, each message once. */
export class DownGate {
  readonly #parts: DownGateParts;
  #serial = '';
  #window: ReplayWindow = freshWindow;
  /** As it is on the disk. */
  #reserved = 0;
  #highestAt: Monotonic;
  /** What was missed before this session is made good by its hello. */
  #sessionFrom: number | null = null;

  constructor(parts: DownGateParts) {
    this.#parts = parts;
    this.#highestAt = parts.clock.now();
    const saved = savedWindow.safeParse(parts.state.read('down_window')).data;
    if (saved === undefined) return;
    this.#serial = saved.serial;
    this.#window = saved.window;
    this.#reserved = saved.window.highest;
  }

  /** The highest number that was admitted under the certificate in use. */
  highest(): number {
    const identity = this.#parts.identity();
    return identity !== null && identity.serial === this.#serial ? this.#window.highest : 0;
  }

  sessionBegins(): void {
    this.#sessionFrom = null;
  }

  /** Numbers of this session that others have overtaken and that have not come. */
  missing(): readonly number[] {
    const { missing } = this.#window;
    return this.#sessionFrom === null ? [] : missing.filter(number => number > this.#sessionFrom!);
  }

  /** Not waited for any more; they are still welcome. */
  giveUpMissing(): void {
    this.#sessionFrom = this.#window.highest;
  }

  admit(kind: DownWord, payload: Uint8Array): Result<Admitted> {
    const identity = this.#parts.identity();
    if (identity === null) return failed(unclaimed);
    const frame = decodeFrame(payload);
    if (!frame.ok) return frame;
    const { organization_id, device_id, serial } = identity;
    const isForAll = kind === 'revoke';
    // Revocations may come again: each says what is so from its revision on, and the slice knows its own.
    const window = isForAll ? null : serial === this.#serial ? this.#window : freshWindow;
    const to = isForAll ? { audience: organization_id, serial: '' } : { audience: device_id, serial };
    const checked = checkFrame(frame.value, { kind, signer: organization_id, ...to, window }, (bytes, signature) =>
      identity.isSignedByOrganization(bytes, signature),
    );
    if (!checked.ok) return checked;
    const { counter, encoding } = frame.value.header;
    const late_ms = checked.value.window === null ? 0 : this.#take(serial, checked.value.window, counter);
    return ok({ body: frame.value.body, encoding, counter, late_ms });
  }

  #take(serial: string, window: ReplayWindow, counter: number): number {
    const now = this.#parts.clock.now();
    if (serial !== this.#serial) [this.#serial, this.#reserved] = [serial, 0];
    const isLatest = window.highest === counter;
    if (isLatest) this.#highestAt = now;
    this.#window = window;
    this.#sessionFrom ??= counter;
    if (window.highest > this.#reserved) {
      this.#reserved = window.highest + AHEAD;
      this.#save({ highest: this.#reserved, missing: [] });
    }
    return isLatest ? 0 : now - this.#highestAt;
  }

  #save(window: ReplayWindow): void {
    this.#parts.state.write('down_window', { serial: this.#serial, window });
  }

  /** At a clean stop, exactly. */
  save(): void {
    if (this.#serial !== '') this.#save(this.#window);
  }
}
