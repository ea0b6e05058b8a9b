import { chmodSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { LabelFacts } from './label-facts.ts';

const kinds = {
  '.pdf': async (facts: LabelFacts): Promise<Uint8Array> => (await import('./label-pdf.ts')).labelPdf(facts),
  '.png': async (facts: LabelFacts): Promise<Uint8Array> => (await import('./label-png.ts')).labelPng(facts),
};

const kindOf = (file: string) => kinds[extname(file).toLowerCase() as keyof typeof kinds];

/** Null when a label can be written by that name. */
export const labelNameProblem = (file: string): string | null =>
  kindOf(file) === undefined ? `${file} must end in .pdf or .png` : null;

/** For its owner only: it has the setup code. */
export const writeLabel = async (file: string, facts: LabelFacts): Promise<void> => {
  const bytes = await kindOf(file)(facts);
  writeFileSync(file, bytes, { mode: 0o600 });
  // A file that was there keeps its mode otherwise.
  chmodSync(file, 0o600);
};
