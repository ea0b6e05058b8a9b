import { chmodSync, writeFileSync } from 'node:fs';
import { UsageError } from '@lintel/service/command-line/cli-command';
import type { ControllerLabelData } from './label-data.ts';

/** Of --label. */
export const parseLabelOption = (file: string | undefined): string | null => {
  if (file !== undefined && !/\.pdf$/i.test(file)) throw new UsageError(`--label ${file} must end in .pdf`);
  return file ?? null;
};

/** Readable by its owner only, because it contains the setup code. */
export const writeLabelFile = async (file: string, facts: ControllerLabelData): Promise<void> => {
  const { createLabelPdf } = await import('./label-pdf.ts');
  writeFileSync(file, await createLabelPdf(facts), { mode: 0o600 });
  // An existing file keeps its mode otherwise.
  chmodSync(file, 0o600);
};
