import { UsageError } from '@lintel/service/command-line/command';
import { labelNameProblem } from './write-label.ts';

/** `--label`, as it was given. */
export const checkedLabel = (label: string | undefined): string | null => {
  const wrong = label === undefined ? null : labelNameProblem(label);
  if (wrong !== null) throw new UsageError(`--label ${wrong}`);
  return label ?? null;
};
