import { basename } from 'node:path';
import type { Profile, ProfileProblem } from './check-profile.ts';

/** Reports settings of a valid profile that are probably mistakes. */
export const findProductWarnings = (
  file: string,
  { product_id, capabilities }: Profile,
  shipped: readonly Profile[],
): readonly ProfileProblem[] => {
  const warnings: ProfileProblem[] = [];
  if (basename(file, '.json') !== product_id)
    warnings.push({
      path: 'product_id',
      message: `does not match the file name. Rename the file to ${product_id}.json`,
    });
  const original = shipped.find(profile => profile.product_id === product_id);
  const differences = Object.entries(original?.capabilities ?? {}).filter(
    ([name, value]) => capabilities[name as keyof typeof capabilities] !== value,
  );
  for (const [name, value] of differences)
    warnings.push({
      path: `capabilities.${name}`,
      message: `differs from the shipped profile ${product_id} (${value}), which the bridge uses. Choose another product_id for your own product`,
    });
  return warnings;
};
