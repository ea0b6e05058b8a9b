/* The parts of a controller, whatever their driver. */

export type { BluetoothActionRequest, BluetoothDecision, BluetoothRadio } from './interfaces/bluetooth-radio.ts';
export type { ProvenPhoneKey, CardReader } from './interfaces/card-reader.ts';
export type { FeedbackKind, FeedbackOverrides } from './interfaces/feedback-kinds.ts';
export type { InputLineState, InputLines } from './interfaces/input-lines.ts';
export type { Keypad } from './interfaces/keypad.ts';
export { type OutputLines, OutputLineError } from './interfaces/output-lines.ts';
export type { PartFault, PartFaultListener } from './interfaces/part-fault.ts';
export { type PowerStatusReader, readUnknownPowerStatus } from './interfaces/power-status-reader.ts';
export type { ReaderReplacement, ReplaceableReader } from './interfaces/replaceable-reader.ts';
export {
  type CardReadingErrorKind,
  type CardReadingStatistics,
  type ReaderSignalQuality,
  cardReadingErrors,
} from './interfaces/reader-signal-quality.ts';
export type {
  DoorWiring,
  BlindWiring,
  SwitchWiring,
  GadgetWiring,
  IndicatorWiring,
  ReaderUnitWiring,
  BluetoothRadioWiring,
  Wiring,
} from './interfaces/wiring.ts';
