import { basename } from 'node:path';
import type { Profile, ProfileProblem } from './profile-schema.ts';

/** What a valid profile says of its product that somebody will wonder about later. */
export const productWarnings = (
  file: string,
  { product_id, capabilities }: Profile,
  shipped: readonly Profile[],
): readonly ProfileProblem[] => {
  const warnings: ProfileProblem[] = [];
  if (basename(file, '.json') !== product_id)
    warnings.push({ path: 'product_id', message: `the file should be named after it: ${product_id}.json` });
  const original = shipped.find(one => one.product_id === product_id);
  const others = Object.entries(original?.capabilities ?? {}).filter(
    ([name, value]) => capabilities[name as keyof typeof capabilities] !== value,
  );
  for (const [name, value] of others)
    warnings.push({
      path: `capabilities.${name}`,
      message: `the shipped ${product_id} has ${value}, and the bridge goes by that: give a product of your own another product_id`,
    });
  return warnings;
};
