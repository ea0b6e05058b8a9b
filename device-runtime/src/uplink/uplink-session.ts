import type { Monotonic } from '@lintel/access-core/monotonic';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Goodbye } from '@lintel/wire-protocol/mqtt/messages/goodbye';
import type { Hello } from '@lintel/wire-protocol/mqtt/messages/hello';
import { PROTOCOL_VERSION } from '@lintel/wire-protocol/mqtt/message-fields';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { UpstreamIdentity } from './upstream.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { Controller } from '../controller/controller.ts';
import type { Speaker } from './uplink-publisher.ts';

export interface SessionParts {
  readonly controller: Controller;
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly firmware: string;
  readonly product_id: string;
  readonly newNonce: () => string;
}

type Holdings = Pick<Hello, 'slice' | 'resume' | 'down_counter' | 'revoke_counter'>;

/** One connection, from its hello to its goodbye. Its nonce is what actions are bound to. */
export class Session {
  readonly #parts: SessionParts;
  #nonce = '';
  #madeAt: Monotonic;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#madeAt = parts.clock.now();
  }

  get nonce(): string {
    return this.#nonce;
  }

  get madeAt(): Monotonic {
    return this.#madeAt;
  }

  /** Before every attempt to connect, with a nonce of its own: what was meant for an earlier connection is refused. */
  renew(): void {
    this.#nonce = this.#parts.newNonce();
    this.#madeAt = this.#parts.clock.now();
  }

  goodbye(reason: Goodbye['reason']): Uint8Array {
    return encodeMessage('goodbye', { v: PROTOCOL_VERSION, session_nonce: this.#nonce, reason });
  }

  sayHello({ serial }: UpstreamIdentity, holdings: Holdings): void {
    const { controller, speaker, wall, firmware, product_id } = this.#parts;
    void speaker.say('hello', {
      v: PROTOCOL_VERSION,
      speaks: [PROTOCOL_VERSION],
      firmware,
      product_id,
      session_nonce: this.#nonce,
      serial,
      digest_key_id: controller.digestKeyId,
      event_sequence: controller.lastEventSequence,
      clock: { time: wall.now(), trusted: wall.trusted(), source: wall.source() },
      ...holdings,
    });
  }
}
