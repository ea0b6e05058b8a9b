import { asCardUid, type CardUid } from '@lintel/wire-protocol/rest/card';
import { CardReaderBase } from '../base/card-reader-base.ts';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ReaderSignal } from '../ports/reader-signal.ts';
import { TapGate } from '../readers/taps/tap-gate.ts';
import { isWiegandFormat } from '../readers/wiegand/wiegand-frame.ts';
import { cardOfBits } from './card-of-bits.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';
import type { Reply } from './replies.ts';

const GONE_AFTER_MS = 800;

export interface OsdpCardReaderOptions {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
  readonly reader?: number;
  /** For readers that send the uid with its last byte first. */
  readonly reversed?: boolean;
  /** Readers that repeat a card which lies on them do so more often than this. */
  readonly gone_after_ms?: number;
}

/** The cards of a reader. */
export class OsdpCardReader extends CardReaderBase {
  readonly #peripheral: OsdpPeripheral;
  readonly #options: OsdpCardReaderOptions;
  readonly #gate: TapGate;

  constructor(peripheral: OsdpPeripheral, options: OsdpCardReaderOptions) {
    super();
    this.#peripheral = peripheral;
    peripheral.onFault(this.health.follow);
    this.#options = options;
    this.#gate = new TapGate(options.gone_after_ms ?? GONE_AFTER_MS);
    peripheral.onReply(reply => {
      if ((reply.type === 'raw' || reply.type === 'fmt') && reply.reader === (options.reader ?? 0)) this.#seen(reply);
    });
  }

  signal(): ReaderSignal {
    return { link: 'rs485', line: this.#peripheral.signal.readings(), cards: null };
  }

  #seen(reply: Extract<Reply, { type: 'raw' | 'fmt' }>): void {
    const { clock, log } = this.#options;
    const uid = this.#uid(reply);
    if (uid === null) {
      const bits = reply.type === 'raw' ? reply.bit_count : reply.text.length * 8;
      const isMisread = reply.type === 'raw' && isWiegandFormat(bits);
      const what = isMisread ? 'a card was misread, its parity is wrong' : 'a card of an unknown format was ignored';
      log('warn', what, { address: this.#peripheral.address, bits });
    } else if (this.#gate.sees(uid, clock.now())) this.tapped(uid);
  }

  #uid(reply: Extract<Reply, { type: 'raw' | 'fmt' }>): CardUid | null {
    if (reply.type === 'raw') return cardOfBits(reply.bits, reply.bit_count, this.#options.reversed === true);
    return asCardUid(reply.text);
  }
}
