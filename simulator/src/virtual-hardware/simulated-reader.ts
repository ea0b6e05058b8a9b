import { randomBytes } from 'node:crypto';
import { respondToNfcReader, type NfcPhoneSelectionState } from '@lintel/wire-protocol/phone/nfc-phone-responder';
import { type MagicLinkToken, parseMagicLinkQrText } from '@lintel/wire-protocol/guest/magic-link-url';
import { toCardUid, type CardUid } from '@lintel/wire-protocol/rest/card-uid';
import type {
  CardReader,
  ProvenPhoneKey,
  PartFaultListener,
  PartFault,
  ReaderSignalQuality,
  CardReadingErrorKind,
} from '@lintel/drivers/interfaces';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { NfcPhoneAuthenticator, toPhoneKey, CardReadingCounter } from '@lintel/drivers/hardware';

/** A simulated card reader. */
export class SimulatedReader implements CardReader {
  readonly #phones: NfcPhoneAuthenticator;
  readonly #lineSignal: CardReadingCounter;
  readonly #cardSignal: CardReadingCounter;
  #card: (uid: CardUid) => void = () => undefined;
  #phone: (key: ProvenPhoneKey) => void = () => undefined;
  #magicLink: (token: MagicLinkToken) => void = () => undefined;
  #fault: PartFaultListener = () => undefined;

  constructor(clock: Pick<MonotonicClock, 'now'>) {
    this.#lineSignal = new CardReadingCounter(clock);
    this.#cardSignal = new CardReadingCounter(clock);
    this.#phones = new NfcPhoneAuthenticator({
      identity: () => ({ organization_id: 'org_simulated', device_id: 'dev_simulated' }),
      randomBytes,
      clock,
      log: () => undefined,
    });
  }

  onCard(listener: (uid: CardUid) => void): void {
    this.#card = listener;
  }

  onPhone(listener: (key: ProvenPhoneKey) => void): void {
    this.#phone = listener;
  }

  onMagicLink(listener: (token: MagicLinkToken) => void): void {
    this.#magicLink = listener;
  }

  onFault(listener: PartFaultListener): void {
    this.#fault = listener;
  }

  /** Returns false for an invalid uid. */
  tap(uid: string): boolean {
    const read = toCardUid(uid);
    if (read !== null) {
      this.recordSignal('cards', 'clean');
      this.#card(read);
    }
    return read !== null;
  }

  /** Taps a phone with this member token, using the real protocol. Returns false for an invalid token. */
  async tapPhone(token: string): Promise<boolean> {
    const phone = toPhoneKey(token);
    let side: NfcPhoneSelectionState = 'idle';
    const key = await this.#phones.authenticate(async apdu => {
      const { state, response } = respondToNfcReader(side, apdu, () => phone);
      side = state;
      return response;
    });
    if (key !== null) {
      this.recordSignal('cards', 'clean');
      this.#phone(key);
    }
    return key !== null;
  }

  /** Shows a QR code with this text. Returns false if it is not a magic link. */
  showQrCode(text: string): boolean {
    const token = parseMagicLinkQrText(text);
    if (token !== null) {
      this.recordSignal('cards', 'clean');
      this.#magicLink(token);
    }
    return token !== null;
  }

  /** Records the quality of a reading without reporting a card. */
  recordSignal(side: 'line' | 'cards', reading: 'clean' | CardReadingErrorKind): void {
    const record = side === 'line' ? this.#lineSignal : this.#cardSignal;
    if (reading === 'clean') record.recordSuccess();
    else record.recordError(reading);
  }

  signal(): ReaderSignalQuality {
    return { link: 'serial', line: this.#lineSignal.readings(), cards: this.#cardSignal.readings() };
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }
}
