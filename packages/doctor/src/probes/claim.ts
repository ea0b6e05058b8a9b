import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';

/** The bridge that the controller is claimed at. */
export interface ClaimedBridgeProbeResult {
  /** Null when it is not claimed, or unknown. */
  readonly bridge_url: string | null;
  /** When another controller took the place of this one. */
  readonly replaced_at: number | null;
  /** Why it is unknown. */
  readonly problem: { readonly kind: 'unreadable' | 'damaged'; readonly text: string } | null;
}

/** As the running controller saved it, for this certificate. */
const readReplacementTime = (dataDir: string, serial: string): number | null => {
  try {
    const saved = JSON.parse(readFileSync(join(dataDir, 'state/replaced.json'), 'utf8')) as {
      readonly serial?: unknown;
      readonly replaced_at?: unknown;
    } | null;
    return saved?.serial === serial && Number.isSafeInteger(saved.replaced_at) ? (saved.replaced_at as number) : null;
  } catch {
    return null;
  }
};

export const probeClaim = (dataDir: string): ClaimedBridgeProbeResult => {
  const read = new EnrollmentFile(dataDir).read();
  if (read.ok) {
    const bridge_url = read.value?.bridge_url ?? null;
    return { bridge_url, replaced_at: read.value && readReplacementTime(dataDir, read.value.serial), problem: null };
  }
  const [first] = read.problems;
  const problem =
    first?.code === 'damaged_membership'
      ? ({ kind: 'damaged', text: first.message } as const)
      : ({ kind: 'unreadable', text: `${dataDir} cannot be read, so the claim is unknown` } as const);
  return { bridge_url: null, replaced_at: null, problem };
};
