import { GrabbedInputDevice, type GrabbedInputDeviceOptions } from '../../evdev/grabbed-input-device.ts';
import { InputEventTextDecoder } from '../../typed-text/input-event-text-decoder.ts';
import { isQrTextCharacter, MAX_QR_TEXT_LENGTH, QrReaderBase } from './qr-reader-base.ts';

export type KeyboardQrReaderOptions = Pick<GrabbedInputDeviceOptions, 'path' | 'clock' | 'calls'>;

/** A USB QR reader that types the text of a code on a US keyboard, and then Enter. */
export class KeyboardQrReader extends QrReaderBase {
  readonly #typed = new InputEventTextDecoder({
    longestText: MAX_QR_TEXT_LENGTH,
    isAllowed: isQrTextCharacter,
    usesShift: true,
  });
  readonly #device: GrabbedInputDevice;

  constructor({ path, clock, calls }: KeyboardQrReaderOptions) {
    super(clock, 'usb');
    this.#device = new GrabbedInputDevice({
      path,
      clock,
      calls,
      health: this.health,
      onOpened: () => {
        this.#typed.reset();
        this.opened();
      },
      onEvent: event => this.handleText(this.#typed.take(event, clock.now())),
    });
  }

  close(): void {
    this.#device.close();
  }
}
