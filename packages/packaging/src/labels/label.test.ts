import { decodePDFRawStream, PDFArray, PDFDocument, type PDFRawStream, StandardFonts } from '@cantoo/pdf-lib';
import decodeQr from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { type ControllerLabelData, buildLabelQrText } from './label-data.ts';
import { LABEL_SIZE_MM, layOutLabelTexts, LABEL_QR_AREA_MM } from './label-layout.ts';
import { createLabelPdf } from './label-pdf.ts';

const facts: ControllerLabelData = {
  hardwareId: 'hw_06cgxgm3007w8qh7rzwmkwmqmw',
  name: 'lintel-7f3a',
  port: 8443,
  setupCode: '7K3M-0QXW-PT5H',
  fingerprint: Array.from({ length: 32 }, (_, at) => (at * 8 + 7).toString(16).padStart(2, '0').toUpperCase()).join(
    ':',
  ),
  hotspot: { ssid: 'Lintel-7f3a', passphrase: 'MW8W-WWWM-8B0D', address: '10.42.0.1' },
};

const MM_PER_POINT = 25.4 / 72;
const DOTS_PER_POINT = 4;

/** The squares of the page, printed at 288 dots per inch. */
const printed = async (): Promise<{ width: number; height: number; data: Uint8Array }> => {
  const document = await PDFDocument.load(await createLabelPdf(facts));
  const page = document.getPage(0);
  const stream = document.context.lookup(page.node.lookup(page.node.context.obj('Contents'), PDFArray).get(0));
  const drawing = Buffer.from(decodePDFRawStream(stream as PDFRawStream).decode()).toString('latin1');
  const dots = (points: number | string | undefined): number => Math.round(Number(points) * DOTS_PER_POINT);
  const [width, height] = [dots(page.getWidth()), dots(page.getHeight())];
  const data = new Uint8Array(width * height * 4).fill(255);
  const squares = /1 0 0 1 (\S+) (\S+) cm\n(?:1 0 0 1 0 0 cm\n)*1 0 0 -1 0 0 cm\n[^]*?\n(\S+) 0 l\n/g;
  for (const [, x, y, side] of drawing.matchAll(squares))
    for (let row = height - dots(y); row < height - dots(y) + dots(side); row += 1)
      data.fill(0, 4 * (row * width + dots(x)), 4 * (row * width + dots(x) + dots(side)));
  return { width, height, data };
};

describe('label', () => {
  it('has a QR code with the address, the setup code, the fingerprint and the hardware id', async () => {
    const text = decodeQr(await printed());
    expect(text).toBe(buildLabelQrText(facts));
    const url = new URL(text);
    expect(url.origin).toBe('https://lintel-7f3a.local:8443');
    // Secrets may appear only behind the #, which is never sent.
    expect(`${url.pathname}${url.search}`).toBe('/');
    const fragment = new URLSearchParams(url.hash.slice(1));
    expect(fragment.get('code')).toBe('7K3M-0QXW-PT5H');
    expect(fragment.get('fp')).toBe(facts.fingerprint.replaceAll(':', '').toLowerCase());
    expect(fragment.get('hw')).toBe(facts.hardwareId);
  });

  it('has no text that overlaps the QR code or the border, even with wide letters', async () => {
    const font = (await PDFDocument.create()).embedStandardFont(StandardFonts.HelveticaBold);
    for (const { text, y, height } of layOutLabelTexts(facts)) {
      const end = LABEL_SIZE_MM.margin + font.widthOfTextAtSize(text, height / 0.718);
      const limit =
        y - height < LABEL_QR_AREA_MM.y + LABEL_QR_AREA_MM.size ? LABEL_QR_AREA_MM.x : LABEL_SIZE_MM.width - 2;
      expect([text, end <= limit]).toEqual([text, true]);
      expect(y).toBeLessThan(LABEL_SIZE_MM.height - 1);
    }
  });

  it('prints the hardware id as text', () => {
    expect(layOutLabelTexts(facts).map(({ text }) => text)).toContain(facts.hardwareId);
  });

  it('prints the whole fingerprint on two lines', () => {
    const [first, second] = layOutLabelTexts(facts).slice(-2);
    expect(`${first?.text}:${second?.text}`).toBe(facts.fingerprint);
  });

  it('is byte-for-byte reproducible', async () => {
    expect(Buffer.from(await createLabelPdf(facts)).equals(Buffer.from(await createLabelPdf(facts)))).toBe(true);
  });

  it('is a one-page PDF of the size of the label', async () => {
    const document = await PDFDocument.load(await createLabelPdf(facts));
    expect(document.getPageCount()).toBe(1);
    const { width, height } = document.getPage(0).getSize();
    expect([Math.round(width * MM_PER_POINT), Math.round(height * MM_PER_POINT)]).toEqual([
      LABEL_SIZE_MM.width,
      LABEL_SIZE_MM.height,
    ]);
  });
});
