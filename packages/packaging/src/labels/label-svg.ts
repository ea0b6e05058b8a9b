import { encodeQR } from 'qr';
import { buildLabelQrText, type ControllerLabelData } from './label-data.ts';
import { LABEL_SIZE_MM, layOutLabelTexts, LABEL_QR_AREA_MM } from './label-layout.ts';

/** Height of a capital letter of Helvetica and Arial relative to the font size. */
const CAPITAL = 0.718;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const drawQr = (text: string): string => {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const side = LABEL_QR_AREA_MM.size / modules.length;
  const path = modules.flatMap((line, row) =>
    line.map((isDark, column) => (isDark ? `M${column} ${row}h1v1h-1z` : '')),
  );
  return `<path transform="translate(${LABEL_QR_AREA_MM.x} ${LABEL_QR_AREA_MM.y}) scale(${side})" d="${path.join('')}"/>`;
};

/** The label as it will be printed, for a page. */
export const createLabelSvg = (facts: ControllerLabelData): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LABEL_SIZE_MM.width} ${LABEL_SIZE_MM.height}" font-family="Helvetica, Arial, sans-serif">`,
    `<rect width="${LABEL_SIZE_MM.width}" height="${LABEL_SIZE_MM.height}" fill="#fff"/>`,
    ...layOutLabelTexts(facts).map(
      ({ text, y, height, isBold }) =>
        `<text x="${LABEL_SIZE_MM.margin}" y="${y}" font-size="${height / CAPITAL}"${isBold ? ' font-weight="700"' : ''}>${escaped(text)}</text>`,
    ),
    drawQr(buildLabelQrText(facts)),
    '</svg>',
  ].join('');
