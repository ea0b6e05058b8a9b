/* Opened hardware, for the firmware and the simulator. */

export { CombinedInputs, CombinedOutputs } from './base/combined-lines.ts';
export { openBluetooth } from './bluetooth/open-bluetooth.ts';
export * from './bluetooth/phone-connections.ts';
export { type BusPartNames, RetryingBus } from './buses/retrying-bus.ts';
export { type BatteryGauge, openBatteryGauge } from './power/battery-gauges.ts';
export { CardReadingCounter } from './taps/card-reading-counter.ts';
export { NfcPhoneAuthenticator, toPhoneKey } from './taps/nfc-phone.ts';
