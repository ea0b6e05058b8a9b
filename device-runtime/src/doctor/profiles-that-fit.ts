import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { Finding } from './finding.ts';

/** How well a product fits what is plugged in. */
export interface Fit {
  readonly profile: Profile;
  readonly fits: boolean;
  readonly found: number;
  readonly wanted: number;
  readonly missing: readonly Finding[];
}

const isSimulated = ({ buses }: Profile): boolean => Object.values(buses).some(({ driver }) => driver === 'simulated');

const hasParts = ({ buses }: Profile): boolean => Object.keys(buses).length > 0;

/** Most of what is wanted first; of those that want as much, the one that explains more of what is plugged in. */
const byFit = (a: Fit, b: Fit): number =>
  Number(isSimulated(a.profile)) - Number(isSimulated(b.profile)) ||
  Number(b.fits) - Number(a.fits) ||
  b.found / b.wanted - a.found / a.wanted ||
  b.found - a.found;

/** Products by how well they fit, the best first. Simulated ones fit everywhere, and come last. */
export const profilesThatFit = (
  profiles: readonly Profile[],
  judge: (profile: Profile) => readonly Finding[],
): readonly Fit[] =>
  profiles
    .filter(hasParts)
    .map(profile => {
      const findings = judge(profile);
      const missing = findings.filter(({ level }) => level === 'bad');
      const wanted = findings.length;
      return { profile, fits: missing.length === 0, found: wanted - missing.length, wanted, missing };
    })
    .sort(byFit);
