import { randomBytes } from 'node:crypto';
import { monotonic } from '@lintel/access-core/monotonic';
import { answerReader, type PhoneSide } from '@lintel/wire-protocol/phone/phone-side';
import { asCardUid, type CardUid } from '@lintel/wire-protocol/rest/card';
import type { CardReader, ProvenKey } from '../../ports/card-reader.ts';
import type { FaultListener, PartFault } from '../../ports/part-fault.ts';
import { PhoneCheck } from '../phone/phone-check.ts';
import { phoneKeyOf } from '../phone/phone-key.ts';

/** A reader to tap from a page, a terminal or a test. */
export class SimulatedReader implements CardReader {
  readonly #phones = new PhoneCheck({
    identity: () => ({ organization_id: 'org_simulated', device_id: 'dev_simulated' }),
    randomBytes,
    clock: { now: () => monotonic(0) },
    log: () => undefined,
  });
  #card: (uid: CardUid) => void = () => undefined;
  #phone: (key: ProvenKey) => void = () => undefined;
  #fault: FaultListener = () => undefined;

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
    if (read !== null) this.#card(read);
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
    if (key !== null) this.#phone(key);
    return key !== null;
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }
}
