import { encodeQR } from 'qr';
import { type LabelFacts, qrText } from './label-facts.ts';
import { LABEL, labelTexts, QR_PLACE, type LabelText } from './label-layout.ts';
import { GLYPH_ADVANCE, GLYPH_HEIGHT, GLYPH_ROWS, isDark } from './pixel-font.ts';
import { pngOf } from './png-file.ts';

/** 300 dots an inch, as label printers have. */
const DOTS_PER_METRE = 11_811;
const DOTS_PER_MM = DOTS_PER_METRE / 1000;

const dotsOf = (mm: number): number => Math.round(mm * DOTS_PER_MM);

class Sheet {
  readonly width = dotsOf(LABEL.width);
  readonly dots = new Uint8Array(this.width * dotsOf(LABEL.height)).fill(0xff);

  square(x: number, y: number, size: number): void {
    for (let row = y; row < y + size; row += 1) this.dots.fill(0, row * this.width + x, row * this.width + x + size);
  }
}

const draw = (sheet: Sheet, { text, x, y, height, isBold }: LabelText): void => {
  const dot = Math.round(dotsOf(height) / GLYPH_HEIGHT);
  const top = dotsOf(y) - dot * GLYPH_HEIGHT;
  text.split('').forEach((letter, at) => {
    const left = dotsOf(x) + at * dot * GLYPH_ADVANCE;
    for (let row = 0; row < GLYPH_ROWS; row += 1)
      for (let column = 0; column < GLYPH_ADVANCE - 1; column += 1)
        if (isDark(letter, column, row))
          sheet.square(left + column * dot, top + row * dot, isBold ? dot + Math.ceil(dot / 4) : dot);
  });
};

export const labelPng = (facts: LabelFacts): Buffer => {
  const sheet = new Sheet();
  for (const text of labelTexts(facts)) draw(sheet, text);
  const modules = encodeQR(qrText(facts), 'raw', { ecc: 'medium', border: 4 });
  const side = Math.floor(dotsOf(QR_PLACE.size) / modules.length);
  modules.forEach((line, row) =>
    line.forEach((dark, column) => {
      if (dark) sheet.square(dotsOf(QR_PLACE.x) + column * side, dotsOf(QR_PLACE.y) + row * side, side);
    }),
  );
  return pngOf(sheet.dots, sheet.width, DOTS_PER_METRE);
};
