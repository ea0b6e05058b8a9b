import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const images = join(import.meta.dirname, '../../../docs/images');
const MAX_PICTURE_BYTES = 150_000;

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Merges neighboring shades, because the dither of gradients does not compress. */
const SHADE = 3;

const chunksOf = (png: Buffer): ReadonlyMap<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.set(name, Buffer.concat([chunks.get(name) ?? Buffer.alloc(0), data]));
    at += length + 12;
  }
  return chunks;
};

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
};

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)] as const;
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
};

const predictors = [
  () => 0,
  (left: number) => left,
  (_: number, up: number) => up,
  (left: number, up: number) => (left + up) >> 1,
  paeth,
] as const;

/** The rows of the picture without their filters. */
const unfiltered = (data: Buffer, rowBytes: number, pixelBytes: number): Buffer[] => {
  const rows: Buffer[] = [];
  let above = Buffer.alloc(rowBytes);
  for (let at = 0; at < data.length; at += rowBytes + 1) {
    const predict = predictors[data[at]!]!;
    const row = Buffer.from(data.subarray(at + 1, at + 1 + rowBytes));
    for (let x = 0; x < rowBytes; x += 1) {
      row[x] = row[x]! + predict(row[x - pixelBytes] ?? 0, above[x]!, above[x - pixelBytes] ?? 0);
    }
    rows.push(row);
    above = row;
  }
  return rows;
};

/** A screenshot with fewer shades, small enough for the repository. */
export const smallPng = (png: Buffer): Buffer => {
  const chunks = chunksOf(png);
  const header = chunks.get('IHDR')!;
  const pixelBytes = header[9] === 6 ? 4 : 3;
  const rowBytes = header.readUInt32BE(0) * pixelBytes;
  const rows = unfiltered(inflateSync(chunks.get('IDAT')!), rowBytes, pixelBytes);
  for (const row of rows) {
    for (let x = 0; x < rowBytes; x += 1) row[x] = Math.min(255, Math.round(row[x]! / SHADE) * SHADE);
  }
  // Flat areas compress best without a filter, which is filter 0.
  const plain = Buffer.concat(rows.flatMap(row => [Buffer.of(0), row]));
  const data = deflateSync(plain, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
};

/** `UPDATE_SCREENSHOTS=1` replaces the pictures of the documentation. `npm test` takes none. */
export const savePicture = async (page: Page, name: string, isFullPage = false): Promise<void> => {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1' && process.env['LINTEL_TESTS'] !== 'all') return;
  const picture = smallPng(await page.screenshot({ fullPage: isFullPage }));
  expect(picture.length).toBeLessThan(MAX_PICTURE_BYTES);
  if (process.env['UPDATE_SCREENSHOTS'] === '1') writeFileSync(join(images, `${name}.png`), picture);
};
