import { closeSync, constants, fdatasyncSync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { readFileIfExists } from '@lintel/service/data-folder/damaged-file';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { EventReserve } from './event-reserve-interface.ts';

/** For about 10,000 events. */
const DEFAULT_BYTES = 4 * 2 ** 20;
/** Takes 25 ms on an SD card with 10 MB/s. */
const ALLOCATION_STEP_BYTES = 256 * 1024;
/** The reserve is allocated if the disk has at least this many times its size left. */
const MIN_FREE_RESERVES = 2;
const HEAD_BYTES = 8;

/** Length and checksum. The checksum continues that of the record before, so that no old record follows a new one. */
const encodeRecord = (event: DeviceEvent, checksumBefore: number): { bytes: Buffer; checksum: number } => {
  const body = Buffer.from(JSON.stringify(event));
  const checksum = crc32(body, checksumBefore);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(checksum, 4);
  return { bytes: Buffer.concat([head, body]), checksum };
};

interface ReserveContent {
  readonly events: DeviceEvent[];
  readonly end: number;
  readonly checksum: number;
}

const decodeRecords = (bytes: Buffer): ReserveContent => {
  const events: DeviceEvent[] = [];
  let [at, checksum] = [0, 0];
  while (at + HEAD_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const body = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
    const next = crc32(body, checksum);
    if (length === 0 || body.length < length || next !== bytes.readUInt32LE(at + 4)) break;
    events.push(JSON.parse(body.toString()) as DeviceEvent);
    at += HEAD_BYTES + length;
    checksum = next;
  }
  return { events, end: at, checksum };
};

/** A file whose space is allocated while the disk has room. Records are written one after the other. */
export class EventReserveFile implements EventReserve {
  readonly #path: string;
  readonly #bytes: number;
  #end = 0;
  #checksum = 0;
  #isExhausted = false;
  #isUnreadable = false;
  #isAllocated = false;

  constructor(path: string, bytes = DEFAULT_BYTES) {
    this.#path = path;
    this.#bytes = bytes;
  }

  #with<T>(work: (file: number) => T, flags = constants.O_RDWR): T {
    const file = openSync(this.#path, flags, 0o600);
    try {
      return work(file);
    } finally {
      closeSync(file);
    }
  }

  read(): readonly DeviceEvent[] {
    try {
      const bytes = readFileIfExists(this.#path);
      if (bytes === null) return [];
      const { events, end, checksum } = decodeRecords(bytes);
      this.#end = end;
      this.#checksum = checksum;
      return events;
    } catch {
      // Its events may still wait: it stays as it is until the next start.
      this.#isUnreadable = true;
      return [];
    }
  }

  append(events: readonly DeviceEvent[]): boolean {
    if (this.#isUnreadable) return false;
    this.#isExhausted ||= !this.#write(events);
    return !this.#isExhausted;
  }

  #write(events: readonly DeviceEvent[]): boolean {
    const records: Buffer[] = [];
    let checksum = this.#checksum;
    for (const event of events) {
      const record = encodeRecord(event, checksum);
      records.push(record.bytes);
      ({ checksum } = record);
    }
    const bytes = Buffer.concat(records);
    try {
      return this.#with(file => {
        if (this.#end + bytes.length > fstatSync(file).size) return false;
        if (writeSync(file, bytes, 0, bytes.length, this.#end) !== bytes.length) return false;
        fdatasyncSync(file);
        this.#end += bytes.length;
        this.#checksum = checksum;
        return true;
      });
    } catch {
      return false;
    }
  }

  clear(): void {
    if (this.#isUnreadable || (this.#end === 0 && !this.#isExhausted)) return;
    try {
      this.#with(file => {
        writeSync(file, Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
        fdatasyncSync(file);
      });
      this.#end = 0;
      this.#checksum = 0;
      this.#isExhausted = false;
    } catch {
      // The events stay and are recognized as written at the next start.
    }
  }

  allocate(): boolean {
    if (this.#isAllocated) return false;
    try {
      this.#isAllocated = !this.#hasRoom() || this.#growOnce() >= this.#bytes;
    } catch {
      this.#isAllocated = true;
    }
    return !this.#isAllocated;
  }

  #hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return bavail * bsize >= MIN_FREE_RESERVES * this.#bytes;
  }

  #growOnce(): number {
    return this.#with(file => {
      const { size } = fstatSync(file);
      if (size >= this.#bytes) return size;
      const zeros = new Uint8Array(Math.min(ALLOCATION_STEP_BYTES, this.#bytes - size));
      const written = writeSync(file, zeros, 0, zeros.length, size);
      fdatasyncSync(file);
      return size + written;
    }, constants.O_RDWR | constants.O_CREAT);
  }
}
