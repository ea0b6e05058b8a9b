import { failed, ok, type Problem, createProblem, type Result } from '@lintel/access-core/result';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import { emptyReplayWindow, type ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { FrameBody } from '../frames/frame-body-compression.ts';
import { verifyFrame } from '../frames/verify-frame.ts';
import type { EnrolledDeviceIdentity, ReceivedMessageKind } from '../session-link-interface.ts';
import type { ReplayWindowStore } from './replay-window-store-interface.ts';

/**
 * Counters are saved as used this far ahead, so that not every message waits for the disk. After a crash the hello
 * reports the highest of them and the bridge continues above it.
 */
const RESERVED_AHEAD = 256;

export interface VerifiedDownlink extends FrameBody {
  readonly counter: number;
  /** The complete signed frame. */
  readonly payload: Uint8Array;
  /** How long ago a message with a higher counter was accepted; 0 for the latest. */
  readonly late_ms: number;
}

interface DownlinkVerifierDependencies {
  readonly identity: () => EnrolledDeviceIdentity | null;
  readonly windows: ReplayWindowStore;
  readonly clock: Pick<MonotonicClock, 'now'>;
}

const unclaimed: readonly Problem[] = [createProblem('', 'unclaimed', 'an unclaimed device accepts no messages')];

/** Accepts what the organization has signed for this device and its certificate, each message once. */
export class DownlinkVerifier {
  readonly #parts: DownlinkVerifierDependencies;
  #serial = '';
  #window: ReplayWindow = emptyReplayWindow;
  /** The highest counter in the store. */
  #reserved = 0;
  #highestAt: MonotonicTime;
  /** The hello of this session covers what was missed before it. */
  #sessionFrom: number | null = null;

  constructor(parts: DownlinkVerifierDependencies) {
    this.#parts = parts;
    this.#highestAt = parts.clock.now();
    const saved = parts.windows.read();
    if (saved === null) return;
    this.#serial = saved.owner;
    this.#window = saved.window;
    this.#reserved = saved.window.highest;
  }

  /** The highest counter that was accepted under the current certificate. */
  highest(): number {
    const identity = this.#parts.identity();
    return identity !== null && identity.serial === this.#serial ? this.#window.highest : 0;
  }

  startSession(): void {
    this.#sessionFrom = null;
  }

  /** Whether a counter of this session was overtaken and has not arrived. */
  hasMissing(): boolean {
    const from = this.#sessionFrom;
    return from !== null && this.#window.missing.some(number => number > from);
  }

  /** Stops waiting for the missing counters; they are still accepted. */
  giveUpMissing(): void {
    this.#sessionFrom = this.#window.highest;
  }

  verify(kind: ReceivedMessageKind, payload: Uint8Array): Result<VerifiedDownlink> {
    const identity = this.#parts.identity();
    if (identity === null) return failed(unclaimed);
    const frame = decodeUnverifiedFrame(payload);
    if (!frame.ok) return frame;
    const { organization_id, device_id, serial } = identity;
    const signer = {
      id: organization_id,
      verify: (bytes: Uint8Array, signature: Uint8Array) => identity.isSignedByOrganization(bytes, signature),
    };
    // A revocation may arrive again: it holds from its revision on, and the snapshot knows its own.
    const address =
      kind === 'revoke'
        ? { audience: organization_id, serial: '', window: null }
        : { audience: device_id, serial, window: serial === this.#serial ? this.#window : emptyReplayWindow };
    const verified = verifyFrame(kind, frame.value, signer, address);
    if (!verified.ok) return verified;
    const { window, body, encoding, header } = verified.value;
    const late_ms = window === null ? 0 : this.#accept(serial, window, header.counter);
    return ok({ body, encoding, counter: header.counter, payload, late_ms });
  }

  #accept(serial: string, window: ReplayWindow, counter: number): number {
    const now = this.#parts.clock.now();
    if (serial !== this.#serial) [this.#serial, this.#reserved] = [serial, 0];
    const isLatest = window.highest === counter;
    if (isLatest) this.#highestAt = now;
    this.#window = window;
    this.#sessionFrom ??= counter;
    if (window.highest > this.#reserved) {
      this.#reserved = window.highest + RESERVED_AHEAD;
      this.#save({ highest: this.#reserved, missing: [] });
    }
    return isLatest ? 0 : now - this.#highestAt;
  }

  #save(window: ReplayWindow): void {
    this.#parts.windows.write({ owner: this.#serial, window });
  }

  /** At a clean stop: exactly what was accepted. */
  save(): void {
    if (this.#serial !== '') this.#save(this.#window);
  }
}
