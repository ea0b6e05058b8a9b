import type { AlertKind } from '@lintel/access-core/alerts/alert-kinds';
import { describeFault, noAlertNumbers } from '@lintel/access-core/alerts/describe-alert';
import type { AttentionItem } from '@lintel/wire-protocol/admin/attention-items';
import type { AdminMessages } from '../messages/en.ts';

/** One sentence in the user's language. English for what this version of the console does not know. */
export const describeAttentionItem = (
  { home, alerts: { texts } }: Pick<AdminMessages, 'home' | 'alerts'>,
  {
    kind,
    fault,
    text,
    address,
  }: Pick<AttentionItem, 'kind' | 'fault' | 'text'> & Partial<Pick<AttentionItem, 'address'>>,
  name: string,
): string => {
  const byFault = fault === null ? undefined : (home.incidents[fault] ?? describeFault(texts, fault, name));
  return (
    byFault ??
    home.attentionKinds[kind]?.(name, address ?? null) ??
    texts.kinds[kind as AlertKind]?.(name, noAlertNumbers) ??
    text
  );
};

type AttentionSubject = Pick<
  AttentionItem,
  'rollout_id' | 'webhook_id' | 'oauth_application_id' | 'gadget_id' | 'device_id'
>;

/** The screen where the user can do something about it; null if there is none. */
export const findAttentionItemPath = (item: AttentionSubject): string | null => {
  const { rollout_id, webhook_id, oauth_application_id, gadget_id, device_id } = item;
  if (rollout_id !== null) return `/updates/${rollout_id}`;
  if (webhook_id !== null && oauth_application_id !== null)
    return `/developers/applications/${oauth_application_id}/webhooks/${webhook_id}`;
  if (gadget_id !== null) return `/doors/${gadget_id}`;
  return device_id === null ? null : `/devices/${device_id}`;
};
