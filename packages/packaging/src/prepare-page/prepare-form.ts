import { plainTextSchema } from '@lintel/wire-protocol/schema-parts/plain-text';
import * as z from 'zod';

const text = plainTextSchema(1024).default('');

/** The fields of the page. An empty text stands for a missing option of the command. */
export const prepareFormSchema = z.strictObject({
  boot_folder: text,
  profile: text,
  bridge: text,
  code: text,
  ca_fingerprint: text,
  wifi: text,
  wifi_password: text,
  wifi_country: text,
  hostname: text,
});
export type PrepareFormValues = z.infer<typeof prepareFormSchema>;

const optionsOf = (form: PrepareFormValues): readonly (readonly [string, string])[] => [
  ['--profile', form.profile],
  ['--bridge', form.bridge],
  ['--code', form.code],
  ['--ca-fingerprint', form.ca_fingerprint],
  ['--wifi', form.wifi],
  ['--wifi-country', form.wifi_country],
  ['--hostname', form.hostname],
];

/** The arguments of `lintel image prepare`. `=` keeps a value that begins with a hyphen from being an option. */
export const toPrepareArguments = (form: PrepareFormValues): string[] => [
  ...optionsOf(form).flatMap(([option, value]) => (value.trim() === '' ? [] : [`${option}=${value.trim()}`])),
  '--',
  form.boot_folder.trim(),
];

const fieldNames: Readonly<Record<string, string>> = {
  '--profile': 'Profile',
  '--bridge': 'Address of the bridge',
  '--code': 'Claim code',
  '--ca-fingerprint': 'Fingerprint',
  '--wifi': 'Wi-Fi',
  '--wifi-country': 'Country',
  '--hostname': 'Host name',
  BOOTFOLDER: 'Boot folder',
};

/** A message of the command, with the fields of the page in place of options. */
export const replaceOptionsWithFieldNames = (message: string): string =>
  message.replaceAll(/--[a-z-]+|BOOTFOLDER/g, option => fieldNames[option] ?? option);
