/** `struct input_event` of a 64-bit system. */
export const inputRecord = (type: number, code: number, value: number): Buffer => {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt16LE(type, 16);
  bytes.writeUInt16LE(code, 18);
  bytes.writeInt32LE(value, 20);
  return bytes;
};

/** Press and release, each with its report. */
export const keystroke = (code: number): Buffer =>
  Buffer.concat([inputRecord(1, code, 1), inputRecord(0, 0, 0), inputRecord(1, code, 0), inputRecord(0, 0, 0)]);
