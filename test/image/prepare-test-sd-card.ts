import {
  parseSdCardSettings,
  type PreparedSdCard,
  prepareSdCard,
  type PrepareSdCardDependencies,
} from '@lintel/packaging/testing';
import { cardOf, fakeDeb, type SdCardFiles, makeTempFolder } from './sd-card-fixtures.ts';

export const PREPARED_AT = Date.parse('2026-11-15T10:00:00Z');

/** Returns different bytes for each call. */
const countingBytes = (): PrepareSdCardDependencies['randomBytes'] => {
  let seed = 7;
  return count => new Uint8Array(count).fill((seed += 1));
};

export const profileFile = (name: string): string => `hardware-profiles/profiles/${name}.json`;

export const prepareDependencies = (controller: string): PrepareSdCardDependencies => ({
  now: PREPARED_AT,
  randomBytes: countingBytes(),
  uuid: () => '00000000-0000-4000-8000-000000000000',
  wifiPassword: async () => 'correct horse',
  readerPackages: async () => ({ files: [], problem: null }),
  controllerPackage: async () => controller,
});

/** Prepares a card with these files and fake packages. */
export const prepareTestCard = async (
  files: SdCardFiles,
  ...options: string[]
): Promise<PreparedSdCard & { readonly card: string }> => {
  const card = cardOf(files);
  const debs = makeTempFolder();
  fakeDeb(debs, 'pcscd_2.3.3-1_arm64.deb');
  const controller = fakeDeb(debs, 'lintel-controller_0.1.0_arm64.deb');
  const profile = options.includes('--profile') ? [] : ['--profile', profileFile('rpi-gpio-acr122u')];
  const settings = parseSdCardSettings([card, ...profile, '--packages', debs, ...options]);
  return { card, ...(await prepareSdCard(settings, prepareDependencies(controller))) };
};
