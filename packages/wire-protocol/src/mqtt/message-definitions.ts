import type * as z from 'zod';
import { eventAckMqttMessageSchema } from './messages/event-ack.ts';
import { actionMqttMessageSchema } from './messages/action.ts';
import { actionResultMqttMessageSchema } from './messages/action-result.ts';
import { eventsMqttMessageSchema } from './messages/events.ts';
import { goodbyeMqttMessageSchema } from './messages/goodbye.ts';
import { helloMqttMessageSchema } from './messages/hello.ts';
import { bridgeLinkMqttMessageSchema } from './messages/bridge-link.ts';
import { peerResponseMqttMessageSchema } from './messages/peer-response.ts';
import { peerNonceRequestMqttMessageSchema } from './messages/peer-nonce-request.ts';
import { peerNonceMqttMessageSchema } from './messages/peer-nonce.ts';
import { peerRequestMqttMessageSchema } from './messages/peer-request.ts';
import { connectedDevicesMqttMessageSchema } from './messages/connected-devices.ts';
import { resendEventsMqttMessageSchema } from './messages/resend-events.ts';
import { resendRevocationsMqttMessageSchema } from './messages/resend-revocations.ts';
import { revocationsMqttMessageSchema } from './messages/revocations.ts';
import { revocationMqttMessageSchema } from './messages/revocation.ts';
import { inputRulesEditResultMqttMessageSchema } from './messages/input-rules-edit-result.ts';
import { inputRulesChangedMqttMessageSchema } from './messages/input-rules-changed.ts';
import { inputRulesCopyResultMqttMessageSchema } from './messages/input-rules-copy-result.ts';
import { copyInputRulesMqttMessageSchema } from './messages/copy-input-rules.ts';
import { activeRevisionMqttMessageSchema } from './messages/active-revision.ts';
import { siteDirectoryMqttMessageSchema } from './messages/site-directory.ts';
import { siteDirectoryRequestMqttMessageSchema } from './messages/site-directory-request.ts';
import { snapshotChunkMqttMessageSchema } from './messages/snapshot-chunk.ts';
import { gadgetStatesMqttMessageSchema } from './messages/gadget-states.ts';
import { deviceStatusMqttMessageSchema } from './messages/device-status.ts';
import { syncRequestMqttMessageSchema } from './messages/sync-request.ts';
import { technicianRequestMqttMessageSchema } from './messages/technician-request.ts';
import { technicianResponseMqttMessageSchema } from './messages/technician-response.ts';
import { technicianLiveMqttMessageSchema } from './messages/technician-live.ts';
import { timeMqttMessageSchema } from './messages/time.ts';
import { timeRequestMqttMessageSchema } from './messages/time-request.ts';
import { updateMqttMessageSchema } from './messages/update.ts';
import { updateReportMqttMessageSchema } from './messages/update-report.ts';
import type { DownlinkMessageKind, UplinkMessageKind } from './topics.ts';

export type MqttMessageKind = UplinkMessageKind | DownlinkMessageKind | 'revoke';

/** The required signer of a message; null: the connection authenticates the sender. */
type Signer = 'organization' | 'device' | null;

export const mqttMessageDefinitions = {
  hello: { schema: helloMqttMessageSchema, signedBy: 'device' },
  goodbye: { schema: goodbyeMqttMessageSchema, signedBy: 'device' },
  'connected-devices': { schema: connectedDevicesMqttMessageSchema, signedBy: 'device' },
  events: { schema: eventsMqttMessageSchema, signedBy: 'device' },
  status: { schema: deviceStatusMqttMessageSchema, signedBy: 'device' },
  state: { schema: gadgetStatesMqttMessageSchema, signedBy: 'device' },
  'action-result': { schema: actionResultMqttMessageSchema, signedBy: 'device' },
  'sync-request': { schema: syncRequestMqttMessageSchema, signedBy: 'device' },
  'active-revision': { schema: activeRevisionMqttMessageSchema, signedBy: 'device' },
  'time-request': { schema: timeRequestMqttMessageSchema, signedBy: 'device' },
  'rules-changed': { schema: inputRulesChangedMqttMessageSchema, signedBy: 'device' },
  'rules-copy': { schema: copyInputRulesMqttMessageSchema, signedBy: 'device' },
  'site-request': { schema: siteDirectoryRequestMqttMessageSchema, signedBy: 'device' },
  ack: { schema: eventAckMqttMessageSchema, signedBy: 'organization' },
  snapshot: { schema: snapshotChunkMqttMessageSchema, signedBy: 'organization' },
  action: { schema: actionMqttMessageSchema, signedBy: 'organization' },
  time: { schema: timeMqttMessageSchema, signedBy: 'organization' },
  rules: { schema: inputRulesEditResultMqttMessageSchema, signedBy: 'organization' },
  'rules-copied': { schema: inputRulesCopyResultMqttMessageSchema, signedBy: 'organization' },
  'site-directory': { schema: siteDirectoryMqttMessageSchema, signedBy: 'organization' },
  technician: { schema: technicianRequestMqttMessageSchema, signedBy: 'organization' },
  'technician-answer': { schema: technicianResponseMqttMessageSchema, signedBy: 'device' },
  'technician-live': { schema: technicianLiveMqttMessageSchema, signedBy: 'device' },
  'bridge-link': { schema: bridgeLinkMqttMessageSchema, signedBy: null },
  update: { schema: updateMqttMessageSchema, signedBy: 'organization' },
  'resend-events': { schema: resendEventsMqttMessageSchema, signedBy: 'organization' },
  'resend-revocations': { schema: resendRevocationsMqttMessageSchema, signedBy: 'organization' },
  'missed-revocations': { schema: revocationsMqttMessageSchema, signedBy: 'organization' },
  revocations: { schema: revocationsMqttMessageSchema, signedBy: 'device' },
  'update-report': { schema: updateReportMqttMessageSchema, signedBy: 'device' },
  revoke: { schema: revocationMqttMessageSchema, signedBy: 'organization' },
  'peer-hello': { schema: peerNonceRequestMqttMessageSchema, signedBy: 'device' },
  'peer-nonce': { schema: peerNonceMqttMessageSchema, signedBy: 'device' },
  'peer-request': { schema: peerRequestMqttMessageSchema, signedBy: 'device' },
  'peer-answer': { schema: peerResponseMqttMessageSchema, signedBy: 'device' },
} as const satisfies Record<MqttMessageKind, { schema: z.ZodObject; signedBy: Signer }>;

export type MqttMessageContent<K extends MqttMessageKind> = z.infer<(typeof mqttMessageDefinitions)[K]['schema']>;
