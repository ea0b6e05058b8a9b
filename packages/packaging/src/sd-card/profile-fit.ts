import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { lacking } from './deb-files.ts';
import { otherBoardPorts } from './firmware-config.ts';
import { PrepareProblem } from './prepare-problem.ts';

/** Throws with the place of everything that is wrong with it. */
export const readProfile = (file: string): Profile => {
  let profile: Profile;
  try {
    profile = loadProfile(file);
  } catch (error) {
    throw new PrepareProblem((error as Error).message);
  }
  if (profile.product_id === 'gateway')
    throw new PrepareProblem(`${file}: product_id gateway is no door controller, see lintel profile list`);
  return profile;
};

const PCSC_PACKAGES = ['libpcsclite1', 'pcscd', 'libccid'];

export const needsPcsc = ({ buses }: Pick<Profile, 'buses'>): boolean =>
  Object.values(buses).some(({ driver }) => driver === 'pcsc');

const isOfPi = (label: string): boolean => /^pinctrl-(?:bcm|rp1)/.test(label);

/** What the profile asks for and a prepared Pi would not have. */
export const unmetDemands = (profile: Pick<Profile, 'buses'>, debs: readonly string[]): string[] => {
  const buses = Object.entries(profile.buses);
  const missing = needsPcsc(profile) ? lacking(PCSC_PACKAGES, debs) : [];
  return [
    ...(missing.length === 0
      ? []
      : [
          `the card reader needs ${missing.join(', ')}, which are not on the card: fetch them with lintel image packages and give them with --packages`,
        ]),
    ...otherBoardPorts(profile).map(
      ({ bus, path }) => `buses.${bus}.port.path: ${path} needs an overlay of its own in config.txt`,
    ),
    ...buses.flatMap(([name, bus]) =>
      'chip' in bus && !bus.chip.some(isOfPi)
        ? [`buses.${name}.chip: ${bus.chip.join(', ')} is not the GPIO of a Raspberry Pi`]
        : [],
    ),
  ];
};
