import type { WiegandLayout } from '../wiegand/formats.ts';
import { toCardUid, type CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { CardReaderBase } from '../base/card-reader-base.ts';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import { TapFilter } from '../taps/tap-filter.ts';
import { decodeOsdpCardBits, hasWiegandLayoutOfLength } from './card-bits.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';
import type { OsdpReply } from './decode-osdp-reply.ts';

const GONE_AFTER_MS = 800;

export interface OsdpCardReaderOptions {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
  readonly reader_number: number;
  readonly formats: readonly WiegandLayout[];
  /** For readers that send the uid with its last byte first. */
  readonly reversed?: boolean;
  /** Readers that repeat a present card do so more often than this. */
  readonly gone_after_ms?: number;
}

/** One card reader of an OSDP peripheral. */
export class OsdpCardReader extends CardReaderBase {
  readonly #peripheral: OsdpPeripheral;
  readonly #options: OsdpCardReaderOptions;
  readonly #filter: TapFilter;

  constructor(peripheral: OsdpPeripheral, options: OsdpCardReaderOptions) {
    super();
    this.#peripheral = peripheral;
    peripheral.onFault(this.health.follow);
    this.#options = options;
    this.#filter = new TapFilter(options.gone_after_ms ?? GONE_AFTER_MS);
    // A reader keeps a card that it read while it was offline.
    peripheral.onReady(() => this.#filter.start(options.clock.now()));
    peripheral.onReply(reply => {
      if ((reply.type === 'raw' || reply.type === 'fmt') && reply.reader === options.reader_number) this.#seen(reply);
    });
  }

  signal(): ReaderSignalQuality {
    return { link: 'rs485', line: this.#peripheral.signal.readings(), cards: null };
  }

  #seen(reply: Extract<OsdpReply, { type: 'raw' | 'fmt' }>): void {
    const { clock, log, reader_number } = this.#options;
    const uid = this.#uid(reply);
    if (uid === null) {
      const bits = reply.type === 'raw' ? reply.bit_count : reply.text.length * 8;
      const isMisread = reply.type === 'raw' && hasWiegandLayoutOfLength(this.#options.formats, bits);
      const what = isMisread ? 'Card misread: parity error' : 'Ignored a card of unknown format';
      log('warn', what, { address: this.#peripheral.address, reader_number, bits });
    } else if (this.#filter.isNewTap(uid, clock.now())) this.tapped(uid);
  }

  #uid(reply: Extract<OsdpReply, { type: 'raw' | 'fmt' }>): CardUid | null {
    const { formats, reversed = false } = this.#options;
    if (reply.type === 'raw') return decodeOsdpCardBits(reply.bits, reply.bit_count, formats, reversed);
    return toCardUid(reply.text);
  }
}
