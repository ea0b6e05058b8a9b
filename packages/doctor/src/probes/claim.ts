import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';

/** The bridge that the controller is claimed at. */
export interface ClaimedBridgeProbeResult {
  /** Null when it is not claimed, or unknown. */
  readonly bridge_url: string | null;
  /** Why it is unknown. */
  readonly problem: { readonly kind: 'unreadable' | 'damaged'; readonly text: string } | null;
}

export const probeClaim = (dataDir: string): ClaimedBridgeProbeResult => {
  const read = new EnrollmentFile(dataDir).read();
  if (read.ok) return { bridge_url: read.value?.bridge_url ?? null, problem: null };
  const [first] = read.problems;
  const problem =
    first?.code === 'damaged_membership'
      ? ({ kind: 'damaged', text: first.message } as const)
      : ({ kind: 'unreadable', text: `${dataDir} cannot be read, so the claim is unknown` } as const);
  return { bridge_url: null, problem };
};
