/* Single parts that tests and benchmarks connect by themselves. Without vitest, so that their processes can import it. */

export { SerialKeypad } from '../serial-keypad/keypad.ts';
export { CombinedOutputs } from '../base/combined-lines.ts';
export { PcscReaders } from '../pcsc/readers.ts';
export { Rdm6300Reader } from '../rdm6300/reader.ts';
export { LcusRelay } from '../usb-relay/board.ts';
export { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
