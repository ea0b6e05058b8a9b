import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';

const DESTROY = 1;
const OUTPUT = 6;
const GET_REPORT = 9;
const GET_REPORT_REPLY = 10;
const CREATE2 = 11;
const SET_REPORT = 13;
const SET_REPORT_REPLY = 14;
const MAX_DATA = 4096;
const MAX_EVENT = 4376;

const USB = 3;
/** One feature report of 8 bytes without a number, as in the firmware of these boards (V-USB). */
const DESCRIPTOR = Buffer.from('0600ff0901a101150026ff00750895080900b20201c0', 'hex');
/** The last character is the number of relays. */
const PRODUCT = 'USBRelay2';
const ON = 0xff;

const encodeIntegers = (bytes: 2 | 4, ...values: readonly number[]): Buffer => {
  const encoded = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) encoded.writeUIntLE(value, index * bytes, bytes);
  return encoded;
};

const padEnd = (text: string | Buffer, length: number): Buffer =>
  Buffer.concat([Buffer.from(text as string), Buffer.alloc(length)], length);

/** A USB relay 16c0:05df with two relays, made with the kernel's uhid. Shares no code with the driver. */
export class UhidRelay {
  readonly serial = 'LINTL';
  /** The state of the relays after each command, one bit for each relay. */
  readonly states: number[] = [];
  readonly #fd = linuxSystemCalls.open('/dev/uhid');
  readonly #id = `lintel-test-${process.pid}`;
  readonly #stopWatching: () => void;

  constructor() {
    const [name, port, id] = [padEnd(PRODUCT, 128), Buffer.alloc(64), padEnd(this.#id, 64)];
    const sizes = encodeIntegers(2, DESCRIPTOR.length, USB);
    const ids = encodeIntegers(4, 0x16c0, 0x05df, 1, 0);
    this.#send(CREATE2, name, port, id, sizes, ids, padEnd(DESCRIPTOR, MAX_DATA));
    this.#stopWatching = linuxSystemCalls.watch(this.#fd, () => this.#receive());
  }

  /** Its device file; null until the kernel has created it. */
  get path(): string | null {
    const folder = '/sys/class/hidraw';
    const hasId = (name: string): boolean =>
      readFileSync(`${folder}/${name}/device/uevent`, 'utf8').includes(`HID_UNIQ=${this.#id}\n`);
    const name = readdirSync(folder).find(hasId);
    return name === undefined ? null : `/dev/${name}`;
  }

  close(): void {
    this.#stopWatching();
    this.#send(DESTROY);
    linuxSystemCalls.close(this.#fd);
  }

  #send(kind: number, ...parts: readonly Buffer[]): void {
    writeSync(this.#fd, Buffer.concat([encodeIntegers(4, kind), ...parts]));
  }

  #receive(): void {
    const event = Buffer.alloc(MAX_EVENT);
    while (linuxSystemCalls.read(this.#fd, event) > 0) {
      const request = event.subarray(4, 8);
      const kind = event.readUInt32LE();
      if (kind === GET_REPORT) this.#sendReport(request, event[8]!);
      // A written report, which for a device without an output endpoint is the same as a feature report.
      if (kind === OUTPUT) this.#execute(event.subarray(4));
      if (kind !== SET_REPORT) continue;
      this.#execute(event.subarray(12));
      this.#send(SET_REPORT_REPLY, request, encodeIntegers(2, 0));
    }
  }

  /** Does what the kernel does for a device on USB: only reports without a number get a leading 0. */
  #sendReport(request: Buffer, number: number): void {
    const data = Buffer.from([...Buffer.from(this.serial), 0, 0, this.states.at(-1) ?? 0]);
    const report = number === 0 ? Buffer.concat([Buffer.alloc(1), data]) : data;
    this.#send(GET_REPORT_REPLY, request, encodeIntegers(2, 0, report.length), padEnd(report, MAX_DATA));
  }

  #execute(report: Buffer): void {
    const [, command, relay = 1] = report;
    const [state, bit] = [this.states.at(-1) ?? 0, 2 ** (relay - 1)];
    this.states.push(command === ON ? state | bit : state & ~bit);
  }
}
