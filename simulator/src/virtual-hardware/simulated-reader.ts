import { randomBytes } from 'node:crypto';
import { answerReader, type PhoneSide } from '@lintel/wire-protocol/phone/phone-side';
import { asCardUid, type CardUid } from '@lintel/wire-protocol/rest/card';
import type { CardReader, ProvenKey } from '@lintel/drivers/ports/card-reader';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { FaultListener, PartFault } from '@lintel/drivers/ports/part-fault';
import type { ReaderSignal, SignalTrouble } from '@lintel/drivers/ports/reader-signal';
import { PhoneCheck } from '@lintel/drivers/readers/phone/phone-check';
import { phoneKeyOf } from '@lintel/drivers/readers/phone/phone-key';
import { SignalRecord } from '@lintel/drivers/readers/signal/signal-record';

/** A reader to tap from a page, a terminal or a test. */
export class SimulatedReader implements CardReader {
  readonly #phones: PhoneCheck;
  readonly #lineSignal: SignalRecord;
  readonly #cardSignal: SignalRecord;
  #card: (uid: CardUid) => void = () => undefined;
  #phone: (key: ProvenKey) => void = () => undefined;
  #fault: FaultListener = () => undefined;

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#lineSignal = new SignalRecord(clock);
    this.#cardSignal = new SignalRecord(clock);
    this.#phones = new PhoneCheck({
      identity: () => ({ organization_id: 'org_simulated', device_id: 'dev_simulated' }),
      randomBytes,
      clock,
      log: () => undefined,
    });
  }

  onCard(listener: (uid: CardUid) => void): void {
    this.#card = listener;
  }

  onPhone(listener: (key: ProvenKey) => void): void {
    this.#phone = listener;
  }

  onFault(listener: FaultListener): void {
    this.#fault = listener;
  }

  /** False when no card has such a uid. */
  tap(uid: string): boolean {
    const read = asCardUid(uid);
    if (read !== null) {
      this.hears('cards', 'clean');
      this.#card(read);
    }
    return read !== null;
  }

  /** A phone with this member token, asked and answering as over the air. False when it is no token. */
  async tapPhone(token: string): Promise<boolean> {
    const phone = phoneKeyOf(token);
    let side: PhoneSide = 'idle';
    const key = await this.#phones.ask(async apdu => {
      const { state, response } = answerReader(side, apdu, () => phone);
      side = state;
      return response;
    });
    if (key !== null) {
      this.hears('cards', 'clean');
      this.#phone(key);
    }
    return key !== null;
  }

  /** A reading that tells nobody anything, good or bad. */
  hears(side: 'line' | 'cards', reading: 'clean' | SignalTrouble): void {
    const record = side === 'line' ? this.#lineSignal : this.#cardSignal;
    if (reading === 'clean') record.clean();
    else record.broken(reading);
  }

  signal(): ReaderSignal {
    return { link: 'serial', line: this.#lineSignal.readings(), cards: this.#cardSignal.readings() };
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }
}
