import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import {
  type CliCommand,
  type CommandStreams,
  createCliCommand,
  UsageError,
} from '@lintel/service/command-line/cli-command';
import {
  completeFromService,
  type InstalledProgram,
  type InstalledService,
  readInstalledService,
} from '@lintel/service/command-line/installed-service';
import {
  parseFingerprintOption,
  parseCommandArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { createPrivateFolder } from '@lintel/service/data-folder/create-folder';
import { asCaller, asFolderOwner } from '@lintel/service/data-folder/folder-owner';
import { rejectForeignDataFolder } from '@lintel/service/data-folder/data-folder';
import {
  type DeviceDescription,
  requestClaimRedemption,
  type UnclaimedDeviceIdentity,
} from '@lintel/device-link/identity/claim-client';
import { ClaimOrRenewalError } from '@lintel/device-link/bridge-http/claim-or-renewal-error';
import { loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { encodeDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import { loadOrCreateHardwareId } from '@lintel/device-link/identity/hardware-id';
import { type DeviceEnrollment, EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { pickNameAndCapabilities } from '@lintel/hardware-profiles/product-fields';
import { normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { DigestKeyFile } from '../credentials/digest-key-file.ts';

const usage = `lintel enroll --data DIR --bridge URL --code CODE [OPTIONS]

Claims a controller or a gateway without the web page: creates its keys in DIR if there are none, sends the claim code to
the bridge, and saves the enrollment. A device that runs on DIR connects after its next start.

  --data DIR            the device's data folder, as for \`lintel device\` and \`lintel gateway\`. Default: that of
                        the controller or gateway that a package has installed on this machine
  --bridge URL          the bridge: https://doors.example.com; plain http on this machine only
  --code CODE           claim code such as 7K3M-0QXW-PT5H, valid for one device
  --profile FILE        the product: a file, or an id of \`lintel profile list\`. Required when the code
                        creates a new device, which then has the profile's gadgets; an existing device must be of the
                        same product
  --name NAME           name of a new device
  --ca-fingerprint FP   the ca_fingerprint that the bridge prints at startup, if it is its own certificate authority
  --replace             replace an existing claim of this device
  --json                one JSON document instead of text

Without --data it reads /etc/lintel/controller.conf or /etc/lintel/gateway.conf, and says on stderr what it uses.

  npx lintel enroll --data .lintel/door --bridge https://doors.example.com --code 7K3M-0QXW-PT5H
`;

const options = {
  data: { type: 'string' },
  bridge: { type: 'string' },
  code: { type: 'string' },
  profile: { type: 'string' },
  name: { type: 'string' },
  'ca-fingerprint': { type: 'string' },
  replace: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** The one that is installed. Null if there is none, or if --data has to choose between two. */
const findInstalledService = (programs: readonly InstalledProgram[]): InstalledService | null => {
  const installed = programs.map(program => readInstalledService(program)).filter(service => service !== null);
  return installed.length === 1 ? installed[0]! : null;
};

/** The service runs as another user, who could not use a folder that root creates. */
const requireFolderOfService = ({ data, program }: InstalledService): void => {
  if (process.geteuid?.() !== 0 || existsSync(data)) return;
  throw new Error(`${data} is missing. Install the package lintel-${program} again, which creates it`);
};

const parseArguments = (args: readonly string[], service: InstalledService | null) => {
  const { values } = parseCommandArguments({ args, options });
  const known = completeFromService(values, service);
  const data = requireOption(known.data, 'data');
  const bridge = requireOption(values.bridge, 'bridge');
  const code = requireOption(values.code, 'code');
  if (!/^https?:$/.test(URL.parse(bridge)?.protocol ?? '')) {
    throw new UsageError('--bridge must be an address such as https://doors.example.com');
  }
  if (normalizeClaimCode(code) === null)
    throw new UsageError('--code must have twelve letters and digits, such as 7K3M-0QXW-PT5H');
  const caFingerprint = parseFingerprintOption(values['ca-fingerprint']);
  if (values.data === undefined && service !== null) requireFolderOfService(service);
  // A gateway has no other product.
  const profile = known.profile ?? (service?.program === 'gateway' && known.notice !== '' ? 'gateway' : undefined);
  return { ...values, data, profile, notice: known.notice, proof: { code, bridgeUrl: bridge, caFingerprint } };
};

const deviceDescriptionOf = (file: string | undefined, name: string | undefined): DeviceDescription => {
  if (file === undefined) return { productId: null, revisionId: null, ...(name === undefined ? {} : { name }) };
  const profile = asCaller(() => loadProfile(file));
  return {
    productId: profile.product_id,
    revisionId: profile.revision,
    product: pickNameAndCapabilities(profile),
    name: name ?? profile.name,
    gadgets: toApiGadgets(profile) as CreateGadgetRequest[],
  };
};

const openUnclaimedDevice = (dataDir: string): UnclaimedDeviceIdentity => {
  createPrivateFolder(dataDir);
  return {
    keys: loadOrCreateDeviceKeys(dataDir, 'claim'),
    hardwareId: loadOrCreateHardwareId(dataDir, Date.now(), randomBytes),
    digestKey: encodeDigestKey(new DigestKeyFile(join(dataDir, 'digest.key')).read()),
  };
};

const hints: Readonly<Record<string, string>> = {
  ca_fingerprint: 'Check the ca_fingerprint that the bridge prints at startup, and pass it with --ca-fingerprint.',
  revision_id: 'Increase the revision of a changed profile: doors may still use the old one.',
  hardware_id: 'This board is already a device of the bridge: delete that device first, or use a code created for it.',
  code: 'Create a new code: each is valid for one device and for a limited time.',
};

const hintFor = (field: string, profile: string | undefined): string | undefined => {
  if (field !== 'product_id') return hints[field];
  if (profile === undefined) return 'Specify the product of this device with --profile FILE.';
  return `The code is for a device of another product than ${profile}. Use a code that creates a new device.`;
};

/** Adds what to do to an error of the bridge. */
const withHint = (error: unknown, profile: string | undefined): unknown => {
  const hint = error instanceof ClaimOrRenewalError && error.field !== null ? hintFor(error.field, profile) : undefined;
  return hint === undefined ? error : new Error(`${(error as Error).message}\n${hint}`, { cause: error });
};

const toSummary = (enrollment: DeviceEnrollment) => {
  const { device_id, organization_id, site_id, product_id, bridge_url, brokers, expires_at } = enrollment;
  return { device_id, organization_id, site_id, product_id, bridge_url, brokers, expires_at };
};

const formatEnrollment = ({ device_id, organization_id, site_id, brokers }: DeviceEnrollment): string =>
  [
    `Enrolled as ${device_id} in ${organization_id}, site ${site_id}.`,
    `Brokers: ${[brokers.mqtts, brokers.mqtt].filter(url => url !== null).join(', ') || 'none'}`,
  ].join('\n');

const enroll = async (
  { data, proof, profile, name, replace, json }: ReturnType<typeof parseArguments>,
  { stdout, stderr }: CommandStreams,
): Promise<number> => {
  rejectForeignDataFolder(data, 'device', 'gateway');
  const file = new EnrollmentFile(data);
  const held = file.read();
  if (held.ok && held.value !== null && replace !== true) {
    stderr.write(`${data} is already enrolled as ${held.value.device_id}. Use --replace to enroll it again.\n`);
    return 1;
  }
  const description = deviceDescriptionOf(profile, name);
  const enrollment = await requestClaimRedemption(proof, openUnclaimedDevice(data), description, {
    now: Date.now(),
  }).catch((error: unknown) => {
    throw withHint(error, profile);
  });
  file.write(enrollment);
  stdout.write(`${json === true ? JSON.stringify(toSummary(enrollment)) : formatEnrollment(enrollment)}\n`);
  return 0;
};

/** For the packages of these programs. */
export const createEnrollCommand = (
  programs: readonly InstalledProgram[],
  findService = findInstalledService,
): CliCommand =>
  createCliCommand(usage, async (args, streams) => {
    const given = parseArguments(args, findService(programs));
    streams.stderr.write(given.notice);
    return asFolderOwner(given.data, () => enroll(given, streams));
  });
