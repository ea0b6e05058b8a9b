import type * as z from 'zod';
import { ackMqttMessage } from './messages/ack.ts';
import { actionMqttMessage } from './messages/action.ts';
import { actionResultMqttMessage } from './messages/action-result.ts';
import { eventsMqttMessage } from './messages/events.ts';
import { goodbyeMqttMessage } from './messages/goodbye.ts';
import { helloMqttMessage } from './messages/hello.ts';
import { bridgeLinkMqttMessage } from './messages/bridge-link.ts';
import { peerResponseMqttMessage } from './messages/peer-answer.ts';
import { peerHelloMqttMessage } from './messages/peer-hello.ts';
import { peerNonceMqttMessage } from './messages/peer-nonce.ts';
import { peerRequestMqttMessage } from './messages/peer-request.ts';
import { presenceMqttMessage } from './messages/presence.ts';
import { resendEventsMqttMessage } from './messages/resend-events.ts';
import { resendRevocationsMqttMessage } from './messages/resend-revocations.ts';
import { revocationsMqttMessage } from './messages/revocations.ts';
import { revocationMqttMessage } from './messages/revoke.ts';
import { inputRulesMqttMessage } from './messages/rules.ts';
import { inputRulesChangedMqttMessage } from './messages/rules-changed.ts';
import { inputRulesCopiedMqttMessage } from './messages/rules-copied.ts';
import { copyInputRulesMqttMessage } from './messages/rules-copy.ts';
import { servingMqttMessage } from './messages/serving.ts';
import { siteDirectoryMqttMessage } from './messages/site-directory.ts';
import { siteRequestMqttMessage } from './messages/site-request.ts';
import { snapshotChunkMqttMessage } from './messages/snapshot-chunk.ts';
import { gadgetStatesMqttMessage } from './messages/gadget-states.ts';
import { deviceStatusMqttMessage } from './messages/status.ts';
import { syncRequestMqttMessage } from './messages/sync-request.ts';
import { technicianRequestMqttMessage } from './messages/technician-request.ts';
import { technicianResponseMqttMessage } from './messages/technician-response.ts';
import { technicianLiveMqttMessage } from './messages/technician-live.ts';
import { timeMqttMessage } from './messages/time.ts';
import { timeRequestMqttMessage } from './messages/time-request.ts';
import { updateMqttMessage } from './messages/update.ts';
import { updateReportMqttMessage } from './messages/update-report.ts';
import type { DownlinkMessageKind, UplinkMessageKind } from './topics.ts';

export type MqttMessageKind = UplinkMessageKind | DownlinkMessageKind | 'revoke';

/** The required signer of a message; null: the connection authenticates the sender. */
type Signer = 'organization' | 'device' | null;

export const mqttMessageSchemas = {
  hello: { schema: helloMqttMessage, signedBy: 'device' },
  goodbye: { schema: goodbyeMqttMessage, signedBy: 'device' },
  presence: { schema: presenceMqttMessage, signedBy: 'device' },
  events: { schema: eventsMqttMessage, signedBy: 'device' },
  status: { schema: deviceStatusMqttMessage, signedBy: 'device' },
  state: { schema: gadgetStatesMqttMessage, signedBy: 'device' },
  'action-result': { schema: actionResultMqttMessage, signedBy: 'device' },
  'sync-request': { schema: syncRequestMqttMessage, signedBy: 'device' },
  serving: { schema: servingMqttMessage, signedBy: 'device' },
  'time-request': { schema: timeRequestMqttMessage, signedBy: 'device' },
  'rules-changed': { schema: inputRulesChangedMqttMessage, signedBy: 'device' },
  'rules-copy': { schema: copyInputRulesMqttMessage, signedBy: 'device' },
  'site-request': { schema: siteRequestMqttMessage, signedBy: 'device' },
  ack: { schema: ackMqttMessage, signedBy: 'organization' },
  slice: { schema: snapshotChunkMqttMessage, signedBy: 'organization' },
  action: { schema: actionMqttMessage, signedBy: 'organization' },
  time: { schema: timeMqttMessage, signedBy: 'organization' },
  rules: { schema: inputRulesMqttMessage, signedBy: 'organization' },
  'rules-copied': { schema: inputRulesCopiedMqttMessage, signedBy: 'organization' },
  'site-directory': { schema: siteDirectoryMqttMessage, signedBy: 'organization' },
  technician: { schema: technicianRequestMqttMessage, signedBy: 'organization' },
  'technician-answer': { schema: technicianResponseMqttMessage, signedBy: 'device' },
  'technician-live': { schema: technicianLiveMqttMessage, signedBy: 'device' },
  line: { schema: bridgeLinkMqttMessage, signedBy: null },
  update: { schema: updateMqttMessage, signedBy: 'organization' },
  'resend-events': { schema: resendEventsMqttMessage, signedBy: 'organization' },
  'resend-revocations': { schema: resendRevocationsMqttMessage, signedBy: 'organization' },
  'missed-revocations': { schema: revocationsMqttMessage, signedBy: 'organization' },
  revocations: { schema: revocationsMqttMessage, signedBy: 'device' },
  'update-report': { schema: updateReportMqttMessage, signedBy: 'device' },
  revoke: { schema: revocationMqttMessage, signedBy: 'organization' },
  'peer-hello': { schema: peerHelloMqttMessage, signedBy: 'device' },
  'peer-nonce': { schema: peerNonceMqttMessage, signedBy: 'device' },
  'peer-request': { schema: peerRequestMqttMessage, signedBy: 'device' },
  'peer-answer': { schema: peerResponseMqttMessage, signedBy: 'device' },
} as const satisfies Record<MqttMessageKind, { schema: z.ZodObject; signedBy: Signer }>;

export type MqttMessage<K extends MqttMessageKind> = z.infer<(typeof mqttMessageSchemas)[K]['schema']>;
