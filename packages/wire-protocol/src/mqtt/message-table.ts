import type * as z from 'zod';
import { ack } from './messages/ack.ts';
import { action } from './messages/action.ts';
import { actionResult } from './messages/action-result.ts';
import { events } from './messages/events.ts';
import { goodbye } from './messages/goodbye.ts';
import { hello } from './messages/hello.ts';
import { line } from './messages/line.ts';
import { peerAnswer } from './messages/peer-answer.ts';
import { peerHello } from './messages/peer-hello.ts';
import { peerNonce } from './messages/peer-nonce.ts';
import { peerRequest } from './messages/peer-request.ts';
import { presence } from './messages/presence.ts';
import { revoke } from './messages/revoke.ts';
import { rules } from './messages/rules.ts';
import { rulesChanged } from './messages/rules-changed.ts';
import { rulesCopied } from './messages/rules-copied.ts';
import { rulesCopy } from './messages/rules-copy.ts';
import { serving } from './messages/serving.ts';
import { siteDirectory } from './messages/site-directory.ts';
import { siteRequest } from './messages/site-request.ts';
import { slice } from './messages/slice.ts';
import { state } from './messages/state.ts';
import { status } from './messages/status.ts';
import { syncRequest } from './messages/sync-request.ts';
import { technician } from './messages/technician.ts';
import { technicianAnswer } from './messages/technician-answer.ts';
import { technicianLive } from './messages/technician-live.ts';
import { time } from './messages/time.ts';
import { timeRequest } from './messages/time-request.ts';
import { update } from './messages/update.ts';
import { updateReport } from './messages/update-report.ts';
import type { DownKind, UpKind } from './topics.ts';

export type MessageKind = UpKind | DownKind | 'revoke';

/** Whose signature a message must bear; null: its connection is word enough. */
type Signer = 'organization' | 'device' | null;

export const messages = {
  hello: { schema: hello, signedBy: null },
  goodbye: { schema: goodbye, signedBy: null },
  presence: { schema: presence, signedBy: null },
  events: { schema: events, signedBy: 'device' },
  status: { schema: status, signedBy: null },
  state: { schema: state, signedBy: null },
  'action-result': { schema: actionResult, signedBy: null },
  'sync-request': { schema: syncRequest, signedBy: null },
  serving: { schema: serving, signedBy: null },
  'time-request': { schema: timeRequest, signedBy: null },
  'rules-changed': { schema: rulesChanged, signedBy: 'device' },
  'rules-copy': { schema: rulesCopy, signedBy: 'device' },
  'site-request': { schema: siteRequest, signedBy: null },
  ack: { schema: ack, signedBy: 'organization' },
  slice: { schema: slice, signedBy: 'organization' },
  action: { schema: action, signedBy: 'organization' },
  time: { schema: time, signedBy: 'organization' },
  rules: { schema: rules, signedBy: 'organization' },
  'rules-copied': { schema: rulesCopied, signedBy: 'organization' },
  'site-directory': { schema: siteDirectory, signedBy: 'organization' },
  technician: { schema: technician, signedBy: 'organization' },
  'technician-answer': { schema: technicianAnswer, signedBy: 'device' },
  'technician-live': { schema: technicianLive, signedBy: 'device' },
  line: { schema: line, signedBy: null },
  update: { schema: update, signedBy: 'organization' },
  'update-report': { schema: updateReport, signedBy: null },
  revoke: { schema: revoke, signedBy: 'organization' },
  'peer-hello': { schema: peerHello, signedBy: 'device' },
  'peer-nonce': { schema: peerNonce, signedBy: 'device' },
  'peer-request': { schema: peerRequest, signedBy: 'device' },
  'peer-answer': { schema: peerAnswer, signedBy: 'device' },
} as const satisfies Record<MessageKind, { schema: z.ZodObject; signedBy: Signer }>;

export type Message<K extends MessageKind> = z.infer<(typeof messages)[K]['schema']>;
