import { type DeviceId, kindOfId, type OrganizationId } from '@lintel/access-core/ids';

/** What controllers and gateways say to the bridge, and to one another through the gateway. */
export const upKinds = [
  'hello',
  'goodbye',
  'presence',
  'events',
  'status',
  'state',
  'action-result',
  'sync-request',
  'serving',
  'time-request',
  'rules-changed',
  'rules-copy',
  'site-request',
  'update-report',
  'technician-answer',
  'technician-live',
  'peer-hello',
  'peer-nonce',
  'peer-request',
  'peer-answer',
] as const;
export type UpKind = (typeof upKinds)[number];

/** What reaches a controller. What one controller sends another goes up on the sender's side and comes down here. */
export const downKinds = [
  'ack',
  'slice',
  'action',
  'time',
  'rules',
  'rules-copied',
  'site-directory',
  'technician',
  'line',
  'update',
  'peer-hello',
  'peer-nonce',
  'peer-request',
  'peer-answer',
] as const;
export type DownKind = (typeof downKinds)[number];

export type Topic =
  | { readonly direction: 'up'; readonly device_id: DeviceId; readonly kind: UpKind }
  | { readonly direction: 'down'; readonly device_id: DeviceId; readonly kind: DownKind }
  | { readonly direction: 'organization'; readonly organization_id: OrganizationId; readonly kind: 'revoke' };

const ROOT = 'lintel/v1';

export const upTopic = (device: DeviceId, kind: UpKind): string => `${ROOT}/${device}/up/${kind}`;

export const downTopic = (device: DeviceId, kind: DownKind): string => `${ROOT}/${device}/down/${kind}`;

export const revokeTopic = (organization: OrganizationId): string => `${ROOT}/org/${organization}/down/revoke`;

/** For those who hear every device: the bridge and a site's gateway. */
export const everyUpFilter = `${ROOT}/+/up/#`;

export const ownUpFilter = (device: DeviceId): string => `${ROOT}/${device}/up/#`;

export const ownDownFilter = (device: DeviceId): string => `${ROOT}/${device}/down/#`;

const isOneOf = <K extends string>(kinds: readonly K[], kind: string | undefined): kind is K =>
  (kinds as readonly (string | undefined)[]).includes(kind);

/** Null for whatever is not exactly a topic of this protocol, a wildcard or a kind of a newer version included. */
export const parseTopic = (text: string): Topic | null => {
  if (!text.startsWith(`${ROOT}/`)) return null;
  const parts = text.slice(ROOT.length + 1).split('/');
  const [first, second, third, fourth] = parts;
  if (parts.length === 3 && kindOfId(first) === 'device') {
    const device_id = first as DeviceId;
    if (second === 'up' && isOneOf(upKinds, third)) return { direction: 'up', device_id, kind: third };
    if (second === 'down' && isOneOf(downKinds, third)) return { direction: 'down', device_id, kind: third };
    return null;
  }
  const isRevoke = parts.length === 4 && first === 'org' && third === 'down' && fourth === 'revoke';
  if (!isRevoke || kindOfId(second) !== 'organization') return null;
  return { direction: 'organization', organization_id: second as OrganizationId, kind: 'revoke' };
};
