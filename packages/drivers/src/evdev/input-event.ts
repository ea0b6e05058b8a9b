/** `struct input_event` of a 64-bit system: seconds, microseconds, type, code, value. */
export const INPUT_EVENT_BYTES = 24;

export interface InputEvent {
  readonly type: number;
  readonly code: number;
  readonly value: number;
}

export const [EV_SYN, EV_KEY] = [0, 1];
export const [SYN_REPORT, SYN_DROPPED] = [0, 3];
export const KEY_PRESSED_VALUE = 1;

/** Skips incomplete records; the kernel never returns any. */
export const decodeInputEvents = (bytes: Buffer): readonly InputEvent[] =>
  Array.from({ length: Math.floor(bytes.length / INPUT_EVENT_BYTES) }, (_, index) => {
    const at = index * INPUT_EVENT_BYTES;
    return { type: bytes.readUInt16LE(at + 16), code: bytes.readUInt16LE(at + 18), value: bytes.readInt32LE(at + 20) };
  });
