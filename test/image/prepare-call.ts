import { prepareSettings } from '../../packages/packaging/src/sd-card/prepare-settings.ts';
import { prepareCard, type Prepared, type PrepareDependencies } from '../../packages/packaging/src/sd-card/prepare.ts';
import { cardOf, fakeDeb, type Files, scratch } from './prepare-cards.ts';

export const PREPARED_AT = Date.parse('2026-11-15T10:00:00Z');

/** Counts up, so that two calls differ. */
const countingBytes = (): PrepareDependencies['randomBytes'] => {
  let seed = 7;
  return count => new Uint8Array(count).fill((seed += 1));
};

export const profileFile = (name: string): string => `hardware-profiles/profiles/${name}.json`;

export const partsFor = (controller: string): PrepareDependencies => ({
  now: PREPARED_AT,
  randomBytes: countingBytes(),
  uuid: () => '00000000-0000-4000-8000-000000000000',
  wifiPassword: async () => 'correct horse',
  readerPackages: async () => ({ files: [], problem: null }),
  controllerPackage: async () => controller,
});

/** A card with these files, prepared with a package that only looks like one. */
export const prepared = async (files: Files, ...options: string[]): Promise<Prepared & { readonly card: string }> => {
  const card = cardOf(files);
  const debs = scratch();
  fakeDeb(debs, 'pcscd_2.3.3-1_arm64.deb');
  const controller = fakeDeb(debs, 'lintel-controller_0.1.0_arm64.deb');
  const profile = options.includes('--profile') ? [] : ['--profile', profileFile('rpi-gpio-acr122u')];
  const order = prepareSettings([card, ...profile, '--packages', debs, ...options]);
  return { card, ...(await prepareCard(order, partsFor(controller))) };
};
