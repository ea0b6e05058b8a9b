import type * as z from 'zod';
import { ackMessage } from './messages/ack.ts';
import { actionMessage } from './messages/action.ts';
import { actionResultMessage } from './messages/action-result.ts';
import { eventsMessage } from './messages/events.ts';
import { goodbyeMessage } from './messages/goodbye.ts';
import { helloMessage } from './messages/hello.ts';
import { bridgeLinkMessage } from './messages/bridge-link.ts';
import { peerResponseMessage } from './messages/peer-answer.ts';
import { peerHelloMessage } from './messages/peer-hello.ts';
import { peerNonceMessage } from './messages/peer-nonce.ts';
import { peerRequestMessage } from './messages/peer-request.ts';
import { presenceMessage } from './messages/presence.ts';
import { resendEventsMessage } from './messages/resend-events.ts';
import { resendRevocationsMessage } from './messages/resend-revocations.ts';
import { revocationsMessage } from './messages/revocations.ts';
import { revocationMessage } from './messages/revoke.ts';
import { rulesMessage } from './messages/rules.ts';
import { rulesChangedMessage } from './messages/rules-changed.ts';
import { rulesCopiedMessage } from './messages/rules-copied.ts';
import { rulesCopyMessage } from './messages/rules-copy.ts';
import { servingMessage } from './messages/serving.ts';
import { siteDirectoryMessage } from './messages/site-directory.ts';
import { siteRequestMessage } from './messages/site-request.ts';
import { snapshotChunkMessage } from './messages/snapshot-chunk.ts';
import { gadgetStatesMessage } from './messages/gadget-states.ts';
import { deviceStatusMessage } from './messages/status.ts';
import { syncRequestMessage } from './messages/sync-request.ts';
import { technicianRequestMessage } from './messages/technician-request.ts';
import { technicianResponseMessage } from './messages/technician-response.ts';
import { technicianLiveMessage } from './messages/technician-live.ts';
import { timeMessage } from './messages/time.ts';
import { timeRequestMessage } from './messages/time-request.ts';
import { updateMessage } from './messages/update.ts';
import { updateReportMessage } from './messages/update-report.ts';
import type { DownlinkMessageKind, UplinkMessageKind } from './topics.ts';

export type MqttMessageKind = UplinkMessageKind | DownlinkMessageKind | 'revoke';

/** The required signer of a message; null: the connection authenticates the sender. */
type Signer = 'organization' | 'device' | null;

export const mqttMessageSchemas = {
  hello: { schema: helloMessage, signedBy: 'device' },
  goodbye: { schema: goodbyeMessage, signedBy: 'device' },
  presence: { schema: presenceMessage, signedBy: 'device' },
  events: { schema: eventsMessage, signedBy: 'device' },
  status: { schema: deviceStatusMessage, signedBy: 'device' },
  state: { schema: gadgetStatesMessage, signedBy: 'device' },
  'action-result': { schema: actionResultMessage, signedBy: 'device' },
  'sync-request': { schema: syncRequestMessage, signedBy: 'device' },
  serving: { schema: servingMessage, signedBy: 'device' },
  'time-request': { schema: timeRequestMessage, signedBy: 'device' },
  'rules-changed': { schema: rulesChangedMessage, signedBy: 'device' },
  'rules-copy': { schema: rulesCopyMessage, signedBy: 'device' },
  'site-request': { schema: siteRequestMessage, signedBy: 'device' },
  ack: { schema: ackMessage, signedBy: 'organization' },
  slice: { schema: snapshotChunkMessage, signedBy: 'organization' },
  action: { schema: actionMessage, signedBy: 'organization' },
  time: { schema: timeMessage, signedBy: 'organization' },
  rules: { schema: rulesMessage, signedBy: 'organization' },
  'rules-copied': { schema: rulesCopiedMessage, signedBy: 'organization' },
  'site-directory': { schema: siteDirectoryMessage, signedBy: 'organization' },
  technician: { schema: technicianRequestMessage, signedBy: 'organization' },
  'technician-answer': { schema: technicianResponseMessage, signedBy: 'device' },
  'technician-live': { schema: technicianLiveMessage, signedBy: 'device' },
  line: { schema: bridgeLinkMessage, signedBy: null },
  update: { schema: updateMessage, signedBy: 'organization' },
  'resend-events': { schema: resendEventsMessage, signedBy: 'organization' },
  'resend-revocations': { schema: resendRevocationsMessage, signedBy: 'organization' },
  'missed-revocations': { schema: revocationsMessage, signedBy: 'organization' },
  revocations: { schema: revocationsMessage, signedBy: 'device' },
  'update-report': { schema: updateReportMessage, signedBy: 'device' },
  revoke: { schema: revocationMessage, signedBy: 'organization' },
  'peer-hello': { schema: peerHelloMessage, signedBy: 'device' },
  'peer-nonce': { schema: peerNonceMessage, signedBy: 'device' },
  'peer-request': { schema: peerRequestMessage, signedBy: 'device' },
  'peer-answer': { schema: peerResponseMessage, signedBy: 'device' },
} as const satisfies Record<MqttMessageKind, { schema: z.ZodObject; signedBy: Signer }>;

export type MqttMessage<K extends MqttMessageKind> = z.infer<(typeof mqttMessageSchemas)[K]['schema']>;
