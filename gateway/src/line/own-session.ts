import { signatureVerifier } from '@lintel/crypto/ed25519';
import type { Membership } from '@lintel/device-link/identity/membership';
import type { LinkLog } from '@lintel/service/log';
import type { Timers } from '@lintel/service/timing/timers';
import type { UpdateDesk } from '@lintel/updates/device/update-desk';
import { UpdateTalk } from '@lintel/updates/update-talk';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { Time } from '@lintel/wire-protocol/mqtt/messages/time';
import type { DownKind, UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { SiteClock } from '../clock/site-clock.ts';
import { openWord } from './organization-word.ts';
import type { OwnSlice } from './own-slice.ts';

export interface OwnSessionParts {
  readonly membership: () => Membership;
  readonly digestKeyId: string;
  readonly firmware: string;
  readonly clock: SiteClock;
  readonly slice: OwnSlice;
  readonly updates?: UpdateDesk | undefined;
  readonly monotonic: () => number;
  readonly newNonce: () => string;
  readonly timers: Timers;
  readonly log: LinkLog;
  readonly publish: (kind: UpKind, payload: Uint8Array) => void;
  readonly status: () => Status;
  /** The newest revocation that is known here. */
  readonly revokeCounter: () => number;
  /** The bridge has said who hangs here now, and it is the same as before or is applied. */
  readonly onSettled: () => void;
  readonly onPeers: () => void;
}

/** An answer that took longer says too little of what time it is. */
const FRESH_MS = 10_000;
/** The bridge has not said how far it is: those who are known are carried all the same. */
const SETTLE_MS = 5000;
const PRODUCT = 'gateway';

const noWork = (): void => undefined;

/** The gateway as a device of its organization: its hello, its slice, its clock, its status. */
export class OwnSession {
  readonly #parts: OwnSessionParts;
  readonly #updates: UpdateTalk;
  #nonce: string;
  /** When each nonce was made that the bridge may quote. */
  readonly #asked = new Map<string, number>();
  #isConnected = false;
  #isSettled = false;
  #told = 0;
  #cancelSettle = noWork;
  #cancelLook = noWork;

  constructor(parts: OwnSessionParts) {
    this.#parts = parts;
    this.#nonce = parts.newNonce();
    this.#updates = new UpdateTalk({ updates: parts.updates, say: report => this.#say('update-report', report) });
  }

  /** Before each attempt: the will of the session that begins with it. */
  connecting(): Uint8Array {
    this.#nonce = this.#parts.newNonce();
    return this.goodbye('lost');
  }

  goodbye(reason: 'lost' | 'stopping'): Uint8Array {
    return encodeMessage('goodbye', { v: 1, session_nonce: this.#nonce, reason });
  }

  connected(): void {
    this.#isConnected = true;
    this.#isSettled = false;
    this.#told = 0;
    this.#asked.clear();
    this.#asked.set(this.#nonce, this.#parts.monotonic());
    this.#hello();
    this.#updates.online(true);
    this.#cancelSettle = this.#parts.timers.after(SETTLE_MS, () => this.#settle());
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#updates.online(false);
    this.#cancelSettle();
    this.#cancelLook();
  }

  #say<K extends UpKind>(kind: K, message: Message<K>): void {
    if (this.#isConnected) this.#parts.publish(kind, encodeMessage(kind, message));
  }

  #hello(): void {
    const { membership, digestKeyId: digest_key_id, firmware, slice, clock, revokeCounter } = this.#parts;
    const { serial } = membership();
    this.#say('hello', {
      v: 1,
      speaks: [1],
      firmware,
      product_id: PRODUCT,
      session_nonce: this.#nonce,
      serial,
      digest_key_id,
      slice: slice.have,
      resume: slice.resume,
      event_sequence: 0,
      down_counter: slice.window.highest,
      revoke_counter: revokeCounter(),
      clock: { time: clock.now(), trusted: clock.isTrusted, source: clock.isTrusted ? 'bridge' : 'floor' },
    });
  }

  sayStatus(): void {
    this.#say('status', this.#parts.status());
  }

  /** Each request has a nonce of its own, so that an answer that somebody kept is known by its age. */
  askTime(): void {
    const nonce = this.#parts.newNonce();
    this.#asked.set(nonce, this.#parts.monotonic());
    this.#say('time-request', { v: 1, nonce });
  }

  /** What came down for the gateway itself. */
  heard(kind: DownKind, payload: Uint8Array): void {
    if (kind === 'time') return this.#opened('time', payload, time => this.#heardTime(time));
    if (kind === 'slice') return this.#opened('slice', payload, chunk => this.#heardSlice(chunk));
    if (kind === 'update') return this.#opened('update', payload, order => this.#updates.ordered(order));
  }

  #opened<K extends 'time' | 'slice' | 'update'>(
    kind: K,
    payload: Uint8Array,
    then: (message: Message<K>) => void,
  ): void {
    const { membership, slice, log } = this.#parts;
    const { device_id, organization_id, organization_key, serial } = membership();
    const organization = { id: organization_id, verify: signatureVerifier(organization_key) };
    const opened = openWord(kind, payload, organization, { audience: device_id, serial, window: slice.window });
    if (!opened.ok) {
      const [first] = opened.problems;
      return log('warn', 'dropped a message for the gateway', { kind, reason: first?.code ?? '' });
    }
    slice.accept(opened.value.window!);
    then(opened.value.message);
  }

  #heardTime({ nonce, time, revision }: Time): void {
    const { monotonic, clock, slice, timers } = this.#parts;
    const asked = this.#asked.get(nonce);
    if (asked === undefined) return;
    if (monotonic() - asked <= FRESH_MS) clock.setByBridge(time);
    if (nonce !== this.#nonce) this.#asked.delete(nonce);
    this.#told = Math.max(this.#told, revision);
    if ((slice.held?.revision ?? -1) >= this.#told) return this.#settle();
    // What the bridge has not sent by then, somebody has kept from us.
    this.#cancelLook();
    this.#cancelLook = timers.after(FRESH_MS, () => {
      if ((slice.held?.revision ?? -1) < revision) this.#say('sync-request', { v: 1, have: slice.have, resume: null });
    });
  }

  #heardSlice(chunk: Message<'slice'>): void {
    const { slice, log, clock, onPeers } = this.#parts;
    const step = slice.take(chunk);
    if (step === null) return;
    if ('ask' in step) {
      if (step.misfit !== null) log('warn', 'a change of the slice does not fit', { reason: step.misfit });
      return this.#say('sync-request', step.ask);
    }
    const { revision, digest } = step.serving;
    onPeers();
    this.#say('serving', { v: 1, revision, digest, at: clock.now() });
    if (revision >= this.#told) this.#settle();
  }

  #settle(): void {
    if (this.#isSettled || !this.#isConnected) return;
    this.#isSettled = true;
    this.#cancelSettle();
    this.#parts.onSettled();
  }
}
