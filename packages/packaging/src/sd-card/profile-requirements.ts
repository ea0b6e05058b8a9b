import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { listMissingDebNames } from './controller-and-extra-deb-files.ts';
import { listPortsWithoutKnownOverlay, usesSerialHeaderPins } from './boot-config.ts';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

/** Throws with the positions of all errors. */
export const readProfileForSdCard = (file: string): Profile => {
  const profile = loadProfile(file);
  if (profile.product_id === 'gateway')
    throw new SdCardPreparationError(
      `${file}: the product gateway is not a door controller. Choose another one, see lintel profile list`,
    );
  return profile;
};

const PCSC_PACKAGES = ['libpcsclite1', 'pcscd', 'libccid'];

export const needsPcsc = ({ buses }: Pick<Profile, 'buses'>): boolean =>
  Object.values(buses).some(({ driver }) => driver === 'pcsc');

/** What the profile needs and the prepared Pi lacks. */
export const findUnmetRequirements = (
  profile: Pick<Profile, 'buses'> & Partial<Pick<Profile, 'bluetooth'>>,
  debs: readonly string[],
): string[] => {
  const missing = needsPcsc(profile) ? listMissingDebNames(PCSC_PACKAGES, debs) : [];
  return [
    ...(missing.length === 0
      ? []
      : [
          `the card reader needs ${missing.join(', ')}, which are not on the card: fetch them with lintel image packages and give them with --packages`,
        ]),
    ...(profile.bluetooth !== undefined && usesSerialHeaderPins(profile)
      ? ['bluetooth: the serial port on pins 8 and 10 takes the place of the radio of a Pi 3 or 4: use a USB adapter']
      : []),
    ...listPortsWithoutKnownOverlay(profile).map(
      ({ bus, path }) => `buses.${bus}.port.path: ${path} needs an overlay of its own in config.txt`,
    ),
    ...Object.entries(profile.buses).flatMap(([name, bus]) =>
      'chip' in bus && !bus.chip.some(label => /^pinctrl-(?:bcm|rp1)/.test(label))
        ? [`buses.${name}.chip: ${bus.chip.join(', ')} is not the GPIO of a Raspberry Pi`]
        : [],
    ),
  ];
};
