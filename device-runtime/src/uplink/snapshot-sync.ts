import { after, type Monotonic } from '@lintel/access-core/monotonic';
import { decodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { CHUNKS_AT_ONCE, type Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { SyncRequest } from '@lintel/wire-protocol/mqtt/messages/sync-request';
import type { Log } from '@lintel/service/log/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Controller } from '../controller/controller.ts';
import { type FrameBody, unpackedBeside } from './frame-body.ts';
import type { Speaker } from './uplink-publisher.ts';

/** More than come at once, so that a sender that does not wait to be asked costs no memory. */
const MOST_WAITING = 2 * CHUNKS_AT_ONCE;
const ANSWER_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Who has not answered so many requests may not know us: a hello says everything. */
const GREETS_AT = 3;

const FAULT = 'digest_key_unknown';
const UNKNOWN_KEY = 'the bridge does not know the key of PINs and cards: what it sends fits nobody';

type Outcome = Awaited<ReturnType<Controller['receiveSlice']>>;
type Refusal = Extract<Outcome, { kind: 'refused' }>['reason'];

export interface SliceSyncParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly log: Log;
  /** Says hello again. */
  readonly greet: () => void;
  readonly dropped: (kind: 'slice', why: string) => void;
  /** Serves another revision from now on. */
  readonly applied: () => void;
}

/** What the controller decides by, kept the bridge's: takes what comes, asks for what does not. */
export class SliceSync {
  readonly #parts: SliceSyncParts;
  readonly #waiting: FrameBody[] = [];
  #isWorking = false;
  #isOnline = false;
  /** The chunk before which the bridge waits to be asked. */
  #groupEnd = CHUNKS_AT_ONCE;
  /** Since something came of it last. */
  #asks = 0;
  #wantsAll = false;
  #lastProgress: Monotonic;
  /** A request is due; otherwise only a look whether something has come. */
  #isAskDue = false;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: SliceSyncParts) {
    this.#parts = parts;
    this.#lastProgress = parts.clock.now();
  }

  /** What a hello says of it. The bridge then sends what is lacking without being asked. */
  greeting(): Pick<SyncRequest, 'have' | 'resume'> {
    const request = this.#request();
    this.#groupEnd = (request.resume?.chunk ?? 0) + CHUNKS_AT_ONCE;
    return request;
  }

  #request(): Pick<SyncRequest, 'have' | 'resume'> {
    const { heldSlice: held, transferUnderWay: started } = this.#parts.controller;
    const have = held === null || this.#wantsAll ? null : { revision: held.revision, digest: held.digest };
    const resume =
      started === null || this.#wantsAll ? null : { revision: started.revision, chunk: started.next_chunk };
    return { have, resume };
  }

  online(isOnline: boolean): void {
    if (isOnline !== this.#isOnline) this.#asks = 0;
    this.#isOnline = isOnline;
    this.#callOff();
    if (isOnline && this.#parts.controller.transferUnderWay !== null) this.#askIfNothingComes();
  }

  /** Milliseconds since a chunk was taken. */
  get quietFor(): number {
    return this.#parts.clock.now() - this.#lastProgress;
  }

  /** Soon, and the more rarely the less comes of it. */
  ask(why: string, longestMs = LONGEST_PAUSE_MS): void {
    if (this.#isAskDue) return;
    this.#parts.log('info', 'asks the bridge for its slice', { why });
    this.#askIn(this.#asks === 0 ? 0 : Math.min(longestMs, FIRST_PAUSE_MS * 2 ** (this.#asks - 1)));
  }

  /** The bridge has said just now that there is no more: what was asked for has no answer. */
  nothingLacks(): void {
    if (this.#wantsAll || this.#parts.controller.transferUnderWay !== null) return;
    this.#asks = 0;
    this.#callOff();
  }

  #askIn(milliseconds: number): void {
    this.#sayRequestIn(milliseconds);
    this.#isAskDue = true;
  }

  #askIfNothingComes(): void {
    this.#sayRequestIn(Math.min(LONGEST_PAUSE_MS, ANSWER_MS * 2 ** this.#asks));
  }

  #sayRequestIn(milliseconds: number): void {
    this.#callOff();
    const { clock } = this.#parts;
    this.#cancelTimer = clock.wake(after(clock.now(), milliseconds), () => this.#sayRequest());
  }

  #callOff(): void {
    this.#isAskDue = false;
    this.#cancelTimer();
  }

  #sayRequest(): void {
    this.#isAskDue = false;
    if (!this.#isOnline) return;
    this.#asks += 1;
    if (this.#asks === GREETS_AT) this.#parts.greet();
    else void this.#parts.speaker.say('sync-request', { v: 1, ...this.greeting() });
    this.#askIfNothingComes();
  }

  take(chunk: FrameBody): void {
    if (this.#waiting.length >= MOST_WAITING) return this.#parts.dropped('slice', 'more chunks than were asked for');
    this.#waiting.push(chunk);
    if (!this.#isWorking) void this.#work();
  }

  /** One chunk after the other, each beside the door's own work. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        const chunk = await this.#read(next);
        if (chunk !== null) this.#follow(chunk, await this.#parts.controller.receiveSlice(chunk));
      } catch (error) {
        this.#parts.log('error', 'a part of the slice could not be taken', { why: String(error) });
        this.ask('a part of it could not be taken');
      }
    }
    this.#isWorking = false;
  }

  async #read(body: FrameBody): Promise<Slice | null> {
    const bytes = await unpackedBeside(body);
    const read = bytes.ok ? decodeMessage('slice', bytes.value) : bytes;
    if (read.ok) return read.value;
    const [first] = read.problems;
    this.#parts.dropped('slice', `${first?.path ?? ''} ${first?.code ?? 'invalid'}`.trim());
    this.ask('a part of it cannot be read');
    return null;
  }

  #follow({ chunk }: Slice, received: Outcome): void {
    if (received.kind === 'refused') return this.#refused(received.reason);
    this.#asks = 0;
    this.#lastProgress = this.#parts.clock.now();
    if (received.kind === 'applied') return this.#serves(received.held);
    if (chunk === 0) this.#groupEnd = CHUNKS_AT_ONCE;
    if (chunk + 1 >= this.#groupEnd) this.#askIn(0);
    else this.#askIfNothingComes();
  }

  #serves({ revision, digest }: { readonly revision: number; readonly digest: string }): void {
    const { controller, speaker, wall, applied } = this.#parts;
    this.#callOff();
    this.#wantsAll = false;
    controller.setFault(FAULT, null);
    void speaker.say('serving', { v: 1, revision, digest, at: wall.now() });
    applied();
  }

  #refused(reason: Refusal): void {
    if (reason === 'wrong_key') this.#parts.controller.setFault(FAULT, UNKNOWN_KEY);
    // The same change upon the same base would have the same digest again.
    this.#wantsAll ||= reason === 'wrong_digest';
    this.ask(reason);
  }
}
