import { PDFDocument, type PDFPage, StandardFonts } from '@cantoo/pdf-lib';
import { encodeQR } from 'qr';
import { type ControllerLabelData, buildLabelQrText } from './label-data.ts';
import { LABEL_SIZE_MM, layOutLabelTexts, LABEL_QR_AREA_MM } from './label-layout.ts';

const POINTS_PER_MM = 72 / 25.4;
/** Height of a capital letter of Helvetica relative to the font size. */
const CAPITAL = 0.718;
/** Neighboring modules overlap, because some printers draw white hairlines between shapes that only touch. */
const OVERLAP = 1.02;

const points = (mm: number): number => mm * POINTS_PER_MM;

const drawQr = (page: PDFPage, text: string): void => {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const side = LABEL_QR_AREA_MM.size / modules.length;
  for (const [row, line] of modules.entries())
    for (const [column, isDark] of line.entries())
      if (isDark)
        page.drawRectangle({
          x: points(LABEL_QR_AREA_MM.x + column * side),
          y: points(LABEL_SIZE_MM.height - LABEL_QR_AREA_MM.y - (row + 1) * side),
          width: points(side * OVERLAP),
          height: points(side * OVERLAP),
        });
};

/** The same facts give the same bytes. */
export const createLabelPdf = async (facts: ControllerLabelData): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(facts.name);
  const page = document.addPage([points(LABEL_SIZE_MM.width), points(LABEL_SIZE_MM.height)]);
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  for (const { text, y, height, isBold } of layOutLabelTexts(facts))
    page.drawText(text, {
      x: points(LABEL_SIZE_MM.margin),
      y: points(LABEL_SIZE_MM.height - y),
      size: points(height) / CAPITAL,
      font: isBold ? bold : regular,
    });
  drawQr(page, buildLabelQrText(facts));
  return document.save();
};
