import type { AttentionItem } from '@lintel/wire-protocol/admin/attention-items';

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
