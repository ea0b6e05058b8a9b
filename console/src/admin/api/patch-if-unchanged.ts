import type { OrganizationClient } from './organization-client.ts';
import { ApiRequestError } from './request.ts';

/** Replaces a list of an object as a whole, unless another user changed it since `base` was read. */
export const patchIfUnchanged = async <F extends string>(
  client: OrganizationClient,
  path: string,
  field: F,
  { base, value }: { readonly base: unknown; readonly value: unknown },
): Promise<void> => {
  const current = await client.get<Readonly<Record<F, unknown>>>(path);
  if (JSON.stringify(current[field]) !== JSON.stringify(base))
    throw new ApiRequestError(null, { type: 'edit_conflict' });
  await client.patch(path, { [field]: value });
};
