import { MembershipFile } from '@lintel/device-link/identity/membership';

/** Whose controller this is. */
export interface FoundClaim {
  /** Where it was claimed; null when nobody has claimed it, or that is not known. */
  readonly bridge_url: string | null;
  /** Why it is not known. */
  readonly trouble: { readonly kind: 'unreadable' | 'damaged'; readonly text: string } | null;
}

export const findClaim = (dataDir: string): FoundClaim => {
  const read = new MembershipFile(dataDir).read();
  if (read.ok) return { bridge_url: read.value?.bridge_url ?? null, trouble: null };
  const [first] = read.problems;
  const trouble =
    first?.code === 'damaged_membership'
      ? ({ kind: 'damaged', text: first.message } as const)
      : ({ kind: 'unreadable', text: `${dataDir} cannot be read: whether it is claimed is not known` } as const);
  return { bridge_url: null, trouble };
};
