import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { DoctorFinding } from './doctor-finding.ts';

/** How well a product matches the connected hardware. */
export interface ProfileMatch {
  readonly profile: Profile;
  readonly fits: boolean;
  readonly found: number;
  readonly wanted: number;
  readonly missing: readonly DoctorFinding[];
}

const isSimulated = ({ buses }: Profile): boolean => Object.values(buses).some(({ driver }) => driver === 'simulated');

/** Relays in the network cannot be detected, so such a product would match every machine. */
const usesNetwork = ({ buses }: Profile): boolean => Object.values(buses).some(bus => 'allow_network_relay' in bus);

const hasParts = ({ buses }: Profile): boolean => Object.keys(buses).length > 0;

/** By the share of parts found, then by their number. */
const byFit = (a: ProfileMatch, b: ProfileMatch): number =>
  Number(isSimulated(a.profile)) - Number(isSimulated(b.profile)) ||
  Number(usesNetwork(a.profile)) - Number(usesNetwork(b.profile)) ||
  Number(b.fits) - Number(a.fits) ||
  b.found / b.wanted - a.found / a.wanted ||
  b.found - a.found;

/** Products by how well they match, the best first. Products with relays in the network, then simulated ones, come last. */
export const rankProfiles = (
  profiles: readonly Profile[],
  check: (profile: Profile) => readonly DoctorFinding[],
): readonly ProfileMatch[] =>
  profiles
    .filter(hasParts)
    .map(profile => {
      const findings = check(profile);
      const missing = findings.filter(({ level }) => level === 'bad');
      const wanted = findings.length;
      return { profile, fits: missing.length === 0, found: wanted - missing.length, wanted, missing };
    })
    .sort(byFit);
