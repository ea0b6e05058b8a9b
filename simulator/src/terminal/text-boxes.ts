import { stripVTControlCharacters } from 'node:util';

/** Visible width of a text, without its color codes. */
export const measureVisibleTextWidth = (text: string): number => Array.from(stripVTControlCharacters(text)).length;

/** Truncates or pads a text to the width. A truncated text loses its colors, because the reset code may be cut off. */
export const fitTextToWidth = (text: string, width: number): string => {
  const visible = measureVisibleTextWidth(text);
  if (visible <= width) return text + ' '.repeat(width - visible);
  const plain = Array.from(stripVTControlCharacters(text));
  return width <= 0 ? '' : `${plain.slice(0, width - 1).join('')}…`;
};

/** Draws a frame with a title around the lines, which are truncated to its width. */
export const drawTextBox = (title: string, lines: readonly string[], width: number): string[] => {
  const inner = width - 4;
  const heading = fitTextToWidth(` ${title} `.slice(0, inner), Math.min(measureVisibleTextWidth(title) + 2, inner));
  return [
    `┌─${heading}${'─'.repeat(Math.max(0, width - 3 - measureVisibleTextWidth(heading)))}┐`,
    ...lines.map(line => `│ ${fitTextToWidth(line, inner)} │`),
    `└${'─'.repeat(width - 2)}┘`,
  ];
};

/** Places boxes side by side. */
export const joinBoxesSideBySide = (boxes: readonly (readonly string[])[]): string[] => {
  const height = Math.max(...boxes.map(lines => lines.length));
  const widths = boxes.map(lines => measureVisibleTextWidth(lines[0] ?? ''));
  return Array.from({ length: height }, (_, row) =>
    boxes.map((lines, index) => fitTextToWidth(lines[row] ?? '', widths[index]!)).join(' '),
  );
};
