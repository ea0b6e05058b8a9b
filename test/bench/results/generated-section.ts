import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces the part of a page between two marker lines. */
export const writeGeneratedSection = (
  page: string,
  [startMarker, endMarker]: readonly [string, string],
  content: string,
): void => {
  const text = readFileSync(page, 'utf8');
  const [start, end] = [text.indexOf(startMarker), text.indexOf(endMarker)];
  if (start < 0 || end < start) throw new Error(`${page} has no place for the results: ${startMarker}`);
  writeFileSync(page, `${text.slice(0, start)}${startMarker}\n\n${content}\n${text.slice(end)}`);
};
