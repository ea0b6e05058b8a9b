/* Single parts that tests and benchmarks connect by themselves. Without vitest, so that their processes can import it. */

export { SerialKeypad } from '../keypads/serial-keypad/serial-keypad.ts';
export { CombinedOutputs } from '../open-hardware/combined-lines.ts';
export { PcscReaders } from '../readers/pcsc/pcsc-readers.ts';
export { Rdm6300Reader } from '../readers/rdm6300/rdm6300-reader.ts';
export { LcusRelay } from '../relays/usb-relay/lcus-relay.ts';
export { ReconnectingSerialLine } from '../serial-line/reconnecting-serial-line.ts';
