import type { WebhookResponse } from '@lintel/wire-protocol/rest/webhook';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMessages } from '../../messages/language.ts';

export const WebhookStatusBadge = ({ webhook }: { readonly webhook: WebhookResponse }) => {
  const { webhooks } = useMessages();
  if (webhook.failing_since !== null) return <StatusBadge level="error" text={webhooks.failing} />;
  if (!webhook.is_enabled) return <StatusBadge level="neutral" text={webhooks.disabled} />;
  return <StatusBadge level="ok" text={webhooks.enabled} />;
};
