import { stripVTControlCharacters } from 'node:util';

/** What is seen of a text: colours take no room. */
export const widthOf = (text: string): number => Array.from(stripVTControlCharacters(text)).length;

/** Exactly so wide: cut off, or filled up. A cut text loses its colours, which its cut end could not reset. */
export const fitted = (text: string, width: number): string => {
  const seen = widthOf(text);
  if (seen <= width) return text + ' '.repeat(width - seen);
  const plain = Array.from(stripVTControlCharacters(text));
  return width <= 0 ? '' : `${plain.slice(0, width - 1).join('')}…`;
};

/** A frame with a title around lines, each as wide as the frame lets it be. */
export const box = (title: string, lines: readonly string[], width: number): string[] => {
  const inner = width - 4;
  const named = fitted(` ${title} `.slice(0, inner), Math.min(widthOf(title) + 2, inner));
  return [
    `┌─${named}${'─'.repeat(Math.max(0, width - 3 - widthOf(named)))}┐`,
    ...lines.map(line => `│ ${fitted(line, inner)} │`),
    `└${'─'.repeat(width - 2)}┘`,
  ];
};

/** Boxes side by side, the shorter ones filled up with nothing. */
export const beside = (boxes: readonly (readonly string[])[]): string[] => {
  const height = Math.max(...boxes.map(lines => lines.length));
  const widths = boxes.map(lines => widthOf(lines[0] ?? ''));
  return Array.from({ length: height }, (_, row) =>
    boxes.map((lines, index) => fitted(lines[row] ?? '', widths[index]!)).join(' '),
  );
};
