import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from '@cantoo/pdf-lib';
import { encodeQR } from 'qr';
import { type LabelFacts, qrText } from './label-facts.ts';
import { LABEL, labelTexts, QR_PLACE } from './label-layout.ts';

const POINTS_PER_MM = 72 / 25.4;
/** How high a capital of Helvetica is in its size. */
const CAPITAL = 0.718;

const points = (mm: number): number => mm * POINTS_PER_MM;

interface Fonts {
  readonly plain: PDFFont;
  readonly bold: PDFFont;
}

const drawTexts = (page: PDFPage, facts: LabelFacts, fonts: Fonts): void => {
  for (const { text, x, y, height, isBold } of labelTexts(facts))
    page.drawText(text, {
      x: points(x),
      y: points(LABEL.height - y),
      size: points(height) / CAPITAL,
      font: isBold ? fonts.bold : fonts.plain,
    });
};

const drawQr = (page: PDFPage, facts: LabelFacts): void => {
  const modules = encodeQR(qrText(facts), 'raw', { ecc: 'medium', border: 4 });
  const side = QR_PLACE.size / modules.length;
  modules.forEach((line, row) => {
    let from = -1;
    // One bar for neighbours: with a gap of its own between any two of them, some printers draw white hairlines.
    [...line, false].forEach((dark, column) => {
      if (dark && from === -1) from = column;
      if (dark || from === -1) return;
      page.drawRectangle({
        x: points(QR_PLACE.x + from * side),
        y: points(LABEL.height - QR_PLACE.y - (row + 1) * side),
        width: points((column - from) * side),
        height: points(side * 1.02),
      });
      from = -1;
    });
  });
};

/** The same facts, the same bytes. */
export const labelPdf = async (facts: LabelFacts): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(facts.name);
  const page = document.addPage([points(LABEL.width), points(LABEL.height)]);
  const fonts = {
    plain: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  drawTexts(page, facts, fonts);
  drawQr(page, facts);
  return document.save();
};
