/** `struct input_event` of a 64-bit system: seconds, microseconds, type, code, value. */
export const INPUT_EVENT_BYTES = 24;

export interface InputEvent {
  readonly type: number;
  readonly code: number;
  readonly value: number;
}

/** Skips incomplete records; the kernel never returns any. */
export const decodeInputEvents = (bytes: Buffer): readonly InputEvent[] =>
  Array.from({ length: Math.floor(bytes.length / INPUT_EVENT_BYTES) }, (_, index) => {
    const at = index * INPUT_EVENT_BYTES;
    return { type: bytes.readUInt16LE(at + 16), code: bytes.readUInt16LE(at + 18), value: bytes.readInt32LE(at + 20) };
  });
