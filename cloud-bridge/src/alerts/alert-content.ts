import type { AlertRuleRow } from '../storage/alert-schema.ts';

/** What a message says. It is stored, so that a retry sends the same. */
export interface AlertContent {
  readonly event: 'raised' | 'resolved' | 'test';
  readonly rule_name: string;
  readonly kind: string;
  readonly text: string;
  readonly site_id: string | null;
  readonly gadget_id: string | null;
  readonly device_id: string | null;
  /** ISO times. */
  readonly since: string | null;
  readonly at: string;
}

export const createTestAlertContent = ({ name, kind, site_id }: AlertRuleRow, at: number): AlertContent => ({
  event: 'test',
  rule_name: name,
  kind,
  text: 'This is a test message',
  site_id,
  gadget_id: null,
  device_id: null,
  since: null,
  at: new Date(at).toISOString(),
});

const headlines = { raised: 'Alert', resolved: 'Resolved', test: 'Test' } as const;

/** `Alert: Front door was opened without permission`. */
export const alertHeadlineOf = ({ event, text }: AlertContent): string => `${headlines[event]}: ${text}`;

export const emailTextOf = (content: AlertContent, organizationName: string, publicUrl: string): string => {
  const since = content.since === null ? '' : `Since: ${content.since}\n`;
  return `${alertHeadlineOf(content)}\n\nOrganization: ${organizationName}\nRule: ${content.rule_name}\n${since}Time: ${content.at}\n\n${publicUrl}\n`;
};

/** Slack, Mattermost, Rocket.Chat and others accept `text`. */
export const webhookBodyOf = (
  content: AlertContent,
  format: 'slack' | 'json',
  { id, organization_id }: Pick<AlertRuleRow, 'id' | 'organization_id'>,
): string => {
  if (format === 'slack') return JSON.stringify({ text: `${alertHeadlineOf(content)} (${content.rule_name})` });
  const { event, ...rest } = content;
  return JSON.stringify({ type: `alert.${event}`, organization_id, alert_rule_id: id, ...rest });
};
