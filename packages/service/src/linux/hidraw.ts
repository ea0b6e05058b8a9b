import { closeSync, openSync } from 'node:fs';
import { loadLibcCalls } from './libc.ts';

/** Feature reports of a USB HID device. The first byte is the number of the report, 0 without numbers. */
export interface HidFeatureReports {
  get(report: number, length: number): Promise<Buffer>;
  set(report: Uint8Array): Promise<void>;
}

/** Read and write, type H; the length of the report is part of the number. */
const requestOf = (number: number, length: number): number => ((0xc000 | length) * 0x10000 + 0x4800 + number) >>> 0;
const SET_FEATURE = 0x06;
const GET_FEATURE = 0x07;

export const computeHidrawIoctlNumbers = (length: number): { readonly get: number; readonly set: number } => ({
  get: requestOf(GET_FEATURE, length),
  set: requestOf(SET_FEATURE, length),
});

const withFile = async <T>(path: string, work: (fd: number) => Promise<T>): Promise<T> => {
  const fd = openSync(path, 'r+');
  try {
    return await work(fd);
  } finally {
    closeSync(fd);
  }
};

/** `/dev/hidrawN`. Opened for each report, because the number changes when the device is plugged in again. */
export const openHidFeatureReports = (findPath: () => string): HidFeatureReports => ({
  get: (report, length) =>
    withFile(findPath(), async fd => {
      const bytes = Buffer.alloc(length);
      bytes[0] = report;
      await loadLibcCalls().ioctlInThread(fd, computeHidrawIoctlNumbers(length).get, bytes);
      return bytes;
    }),
  set: report =>
    withFile(findPath(), fd => {
      const bytes = Buffer.from(report);
      return loadLibcCalls().ioctlInThread(fd, computeHidrawIoctlNumbers(bytes.length).set, bytes);
    }),
});
