import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, UsageError } from '@lintel/service/command-line/command';
import { fingerprintOf, parseCall, required } from '@lintel/service/command-line/options';
import { refuseFolderOfOthers } from '@lintel/service/data-folder/data-folder';
import { type ClaimedThing, redeem, type UnclaimedDevice } from '@lintel/device-link/identity/claim-client';
import { ClaimError } from '@lintel/device-link/bridge-http/claim-error';
import { openDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { toldDigestKey } from '@lintel/device-link/identity/digest-key';
import { openHardwareId } from '@lintel/device-link/identity/hardware-id';
import { type Membership, MembershipFile } from '@lintel/device-link/identity/membership';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { productOf } from '@lintel/hardware-profiles/product-fields';
import { plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { DigestKeyFile } from '../credentials/digest-key-file.ts';

const usage = `lintel enroll --data DIR --bridge URL --code CODE [OPTIONS]

Claims a controller or a gateway without the web page: makes its keys in DIR if it has none, shows the bridge the code of a
claim ticket, and keeps what it is given. A device that runs on DIR connects as soon as it is started again.

  --data DIR            the device's data folder, as for \`lintel device\` and \`lintel gateway\`
  --bridge URL          the bridge: https://doors.example.com; plain http on this machine only
  --code CODE           of a ticket, such as 7K3M-0QXW-PT5H; it is good for one device
  --profile FILE        the product, also one of your own. Needed when the code makes a new device, which then has the
                        profile's gadgets; a device that is there already must be of the same product
  --name NAME           of a new device
  --ca-fingerprint FP   what the bridge prints at its start as ca_fingerprint, where it is its own authority
  --replace             also when this device is claimed already
  --json                one JSON document instead of words

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

const parsed = (args: readonly string[]) => {
  const { values } = parseCall({ args, options });
  const data = required(values.data, 'data');
  const bridge = required(values.bridge, 'bridge');
  const code = required(values.code, 'code');
  if (!/^https?:$/.test(URL.parse(bridge)?.protocol ?? '')) {
    throw new UsageError('--bridge must be an address such as https://doors.example.com');
  }
  if (plainClaimCode(code) === null) throw new UsageError('--code must have twelve letters and digits: 7K3M-0QXW-PT5H');
  const caFingerprint = fingerprintOf(values['ca-fingerprint']);
  return { ...values, data, proof: { code, bridgeUrl: bridge, caFingerprint } };
};

const thingOf = (file: string | undefined, name: string | undefined): ClaimedThing => {
  if (file === undefined) return { productId: null, revisionId: null, ...(name === undefined ? {} : { name }) };
  const profile = loadProfile(file);
  return {
    productId: profile.product_id,
    revisionId: profile.revision,
    product: productOf(profile),
    name: name ?? profile.name,
    gadgets: gadgetsOf(profile) as GadgetCreate[],
  };
};

const deviceIn = (dataDir: string): UnclaimedDevice => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    keys: openDeviceKeys(dataDir),
    hardwareId: openHardwareId(dataDir, Date.now(), randomBytes),
    digestKey: toldDigestKey(new DigestKeyFile(join(dataDir, 'digest.key')).read()),
  };
};

const hints: Readonly<Record<string, string>> = {
  ca_fingerprint: 'Compare what the bridge prints at its start as ca_fingerprint, and give it with --ca-fingerprint.',
  revision_id: 'A profile that has changed needs another revision: doors of the old one may be in use.',
  hardware_id: 'This board is a device there already: delete that one first, or take a code that was made for it.',
  code: 'Fetch a new code: each is good for one device, until the time that was set for it.',
};

const hintFor = (field: string, profile: string | undefined): string | undefined => {
  if (field !== 'product_id') return hints[field];
  if (profile === undefined) return 'Say with --profile FILE what this device is.';
  return `The code is for a device of another product than ${profile}: a code that makes a new device takes any.`;
};

/** What the bridge refuses, with what to do about it. */
const withHint = (error: unknown, profile: string | undefined): unknown => {
  const hint = error instanceof ClaimError && error.field !== null ? hintFor(error.field, profile) : undefined;
  return hint === undefined ? error : new Error(`${(error as Error).message}\n${hint}`, { cause: error });
};

const told = (membership: Membership) => {
  const { device_id, organization_id, site_id, product_id, bridge_url, brokers, expires_at } = membership;
  return { device_id, organization_id, site_id, product_id, bridge_url, brokers, expires_at };
};

const sentence = ({ device_id, organization_id, site_id, brokers }: Membership): string =>
  [
    `This is ${device_id} now, of ${organization_id}, at ${site_id}.`,
    `Its brokers: ${[brokers.mqtts, brokers.mqtt].filter(url => url !== null).join(', ') || 'none that it may reach'}`,
  ].join('\n');

export const command = commandOf(usage, async (args, { stdout, stderr }) => {
  const { data, proof, profile, name, replace, json } = parsed(args);
  refuseFolderOfOthers(data, 'device', 'gateway');
  const file = new MembershipFile(data);
  const held = file.read();
  if (held.ok && held.value !== null && replace !== true) {
    stderr.write(`${data} is ${held.value.device_id} already. With --replace it becomes another device.\n`);
    return 1;
  }
  const thing = thingOf(profile, name);
  const membership = await redeem(proof, deviceIn(data), thing, { now: Date.now() }).catch((error: unknown) => {
    throw withHint(error, profile);
  });
  file.write(membership);
  stdout.write(`${json === true ? JSON.stringify(told(membership)) : sentence(membership)}\n`);
  return 0;
});
