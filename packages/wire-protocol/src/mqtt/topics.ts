import { type DeviceId, parseIdKind, type OrganizationId } from '@lintel/access-core/ids';

/** Messages from controllers and gateways to the bridge, and to each other through the gateway. */
export const uplinkMessageKinds = [
  'hello',
  'goodbye',
  'connected-devices',
  'events',
  'status',
  'state',
  'action-result',
  'sync-request',
  'active-revision',
  'time-request',
  'rules-changed',
  'rules-copy',
  'site-request',
  'revocations',
  'update-report',
  'technician-answer',
  'technician-live',
  'peer-hello',
  'peer-nonce',
  'peer-request',
  'peer-answer',
] as const;
export type UplinkMessageKind = (typeof uplinkMessageKinds)[number];

/**
 * Messages to a controller. A message between controllers is published to the sender's uplink and forwarded to the
 * receiver's downlink.
 */
export const downlinkMessageKinds = [
  'ack',
  'snapshot',
  'action',
  'time',
  'rules',
  'rules-copied',
  'site-directory',
  'technician',
  'bridge-link',
  'update',
  'resend-events',
  'resend-revocations',
  'missed-revocations',
  'peer-hello',
  'peer-nonce',
  'peer-request',
  'peer-answer',
] as const;
export type DownlinkMessageKind = (typeof downlinkMessageKinds)[number];

export type MqttTopic =
  | { readonly direction: 'up'; readonly device_id: DeviceId; readonly kind: UplinkMessageKind }
  | { readonly direction: 'down'; readonly device_id: DeviceId; readonly kind: DownlinkMessageKind }
  | { readonly direction: 'organization'; readonly organization_id: OrganizationId; readonly kind: 'revoke' };

const ROOT = 'lintel/v1';

export const buildUplinkTopic = (device: DeviceId, kind: UplinkMessageKind): string => `${ROOT}/${device}/up/${kind}`;

export const buildDownlinkTopic = (device: DeviceId, kind: DownlinkMessageKind): string =>
  `${ROOT}/${device}/down/${kind}`;

export const buildRevocationTopic = (organization: OrganizationId): string => `${ROOT}/org/${organization}/down/revoke`;

/** For the bridge and gateways, which receive all devices. */
export const allUplinksFilter = `${ROOT}/+/up/#`;

export const buildDeviceUplinkFilter = (device: DeviceId): string => `${ROOT}/${device}/up/#`;

export const buildDeviceDownlinkFilter = (device: DeviceId): string => `${ROOT}/${device}/down/#`;

const isOneOf = <K extends string>(kinds: readonly K[], kind: string | undefined): kind is K =>
  (kinds as readonly (string | undefined)[]).includes(kind);

/** Null unless it is exactly a topic of this protocol; also null for wildcards and unknown kinds. */
export const parseMqttTopic = (text: string): MqttTopic | null => {
  if (!text.startsWith(`${ROOT}/`)) return null;
  const parts = text.slice(ROOT.length + 1).split('/');
  const [first, second, third, fourth] = parts;
  if (parts.length === 3 && parseIdKind(first) === 'device') {
    const device_id = first as DeviceId;
    if (second === 'up' && isOneOf(uplinkMessageKinds, third)) return { direction: 'up', device_id, kind: third };
    if (second === 'down' && isOneOf(downlinkMessageKinds, third)) return { direction: 'down', device_id, kind: third };
    return null;
  }
  const isRevoke = parts.length === 4 && first === 'org' && third === 'down' && fourth === 'revoke';
  if (!isRevoke || parseIdKind(second) !== 'organization') return null;
  return { direction: 'organization', organization_id: second as OrganizationId, kind: 'revoke' };
};
