import { inflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import decodeQr from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { type LabelFacts, qrText } from './label-facts.ts';
import { LABEL, labelTexts, QR_PLACE } from './label-layout.ts';
import { labelPdf } from './label-pdf.ts';
import { labelPng } from './label-png.ts';
import { GLYPH_ADVANCE, GLYPH_HEIGHT, GLYPH_ROWS, isDark } from './pixel-font.ts';

const facts: LabelFacts = {
  name: 'lintel-7f3a',
  port: 8443,
  setupCode: '7K3M-0QXW-PT5H',
  fingerprint: Array.from({ length: 32 }, (_, at) => (at * 8 + 7).toString(16).padStart(2, '0').toUpperCase()).join(
    ':',
  ),
  hotspot: { ssid: 'Lintel-7f3a', passphrase: 'MW8W-WWWM-8B0D', address: '10.42.0.1' },
};

/** As seen by a camera. */
const seen = (png: Buffer): { width: number; height: number; data: Uint8Array } => {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const at = png.indexOf('IDAT');
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      data.fill(lines[y * (width + 1) + 1 + x]!, 4 * (y * width + x), 4 * (y * width + x) + 3);
  return { width, height, data };
};

describe('label', () => {
  it('has a QR code with the address, the setup code and the fingerprint', () => {
    const text = decodeQr(seen(labelPng(facts)));
    expect(text).toBe(qrText(facts));
    const url = new URL(text);
    expect(url.origin).toBe('https://lintel-7f3a.local:8443');
    // These may appear only behind the #, which is never sent.
    expect(`${url.pathname}${url.search}`).toBe('/');
    const brought = new URLSearchParams(url.hash.slice(1));
    expect(brought.get('code')).toBe('7K3M-0QXW-PT5H');
    expect(brought.get('fp')).toBe(facts.fingerprint.replaceAll(':', '').toLowerCase());
  });

  it('has no text that overlaps the QR code or the border, even with the widest letters', () => {
    for (const { text, x, y, height } of labelTexts(facts)) {
      const end = x + (text.length * GLYPH_ADVANCE * height) / GLYPH_HEIGHT;
      const limit = y - height < QR_PLACE.y + QR_PLACE.size ? QR_PLACE.x : LABEL.width - 2;
      expect([text, end <= limit]).toEqual([text, true]);
      expect(y).toBeLessThan(LABEL.height - 1);
    }
  });

  it('has a font with a distinct glyph for every possible letter', () => {
    const letters = [
      ...new Set(
        `${labelTexts(facts)
          .map(({ text }) => text)
          .join('')}0123456789ABCDEFGHJKMNPQRSTVWXYZabcdef`,
      ),
    ];
    const shapes = letters.map(letter =>
      Array.from({ length: GLYPH_ROWS * 5 }, (_, at) => (isDark(letter, at % 5, Math.floor(at / 5)) ? '#' : '.')).join(
        '',
      ),
    );
    expect(new Set(shapes).size).toBe(letters.length);
  });

  it('is byte-for-byte reproducible', async () => {
    expect(labelPng(facts).equals(labelPng(facts))).toBe(true);
    expect(Buffer.from(await labelPdf(facts)).equals(Buffer.from(await labelPdf(facts)))).toBe(true);
  });

  it('is a one-page PDF of the size of the label', async () => {
    const document = await PDFDocument.load(await labelPdf(facts));
    expect(document.getPageCount()).toBe(1);
    const { width, height } = document.getPage(0).getSize();
    expect([Math.round((width / 72) * 25.4), Math.round((height / 72) * 25.4)]).toEqual([LABEL.width, LABEL.height]);
  });
});
