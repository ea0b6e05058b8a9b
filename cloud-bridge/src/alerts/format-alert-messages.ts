import type { AlertDetails } from '@lintel/access-core/alerts/describe-alert';
import { formatMailTime } from '../mail/format-mail-time.ts';
import { withoutLinks } from '../mail/without-links.ts';
import { type MailLanguage, selectMailLanguage } from '../mail/mail-language.ts';
import type { AlertRuleRow } from '../storage/alert-schema.ts';
import { alertMessageTextsByLanguage } from './alert-message-texts.ts';

/** What a message says. It is stored, so that a retry sends the same. */
export interface AlertContent {
  readonly event: 'raised' | 'resolved' | 'test';
  readonly rule_name: string;
  readonly kind: string;
  /** Missing in messages of a bridge of the previous version, which are in English. */
  readonly language?: MailLanguage;
  readonly text: string;
  /** Null for a test. */
  readonly details?: AlertDetails | null;
  readonly site_id: string | null;
  readonly gadget_id: string | null;
  readonly device_id: string | null;
  /** ISO times. */
  readonly since: string | null;
  readonly at: string;
}

export const createTestAlertContent = (
  { name, kind, site_id, language: tag }: AlertRuleRow,
  at: number,
): AlertContent => {
  const language = selectMailLanguage(tag);
  return {
    event: 'test',
    rule_name: name,
    kind,
    language,
    text: alertMessageTextsByLanguage[language].testText,
    details: null,
    site_id,
    gadget_id: null,
    device_id: null,
    since: null,
    at: new Date(at).toISOString(),
  };
};

/** `Alert: Front door was forced open`. */
export const formatAlertHeadline = ({ event, text, language = 'en' }: AlertContent): string =>
  `${alertMessageTextsByLanguage[language].headlines[event]}: ${text}`;

interface AlertMailContext {
  readonly organizationName: string;
  /** Of the site; null if unknown. */
  readonly timeZone: string | null;
  readonly publicUrl: string;
}

export const formatAlertEmailText = (content: AlertContent, context: AlertMailContext): string => {
  const { language = 'en' } = content;
  const texts = alertMessageTextsByLanguage[language];
  const time = (text: string): string => formatMailTime(Date.parse(text), language, context.timeZone);
  const lines = [
    formatAlertHeadline(content),
    '',
    `${texts.organization}: ${withoutLinks(context.organizationName)}`,
    `${texts.rule}: ${withoutLinks(content.rule_name)}`,
    ...(content.since === null ? [] : [`${texts.since}: ${time(content.since)}`]),
    `${texts.time}: ${time(content.at)}`,
    '',
    context.publicUrl,
  ];
  return `${lines.join('\n')}\n`;
};

/** Otherwise a name could mention a whole channel or disguise a link: https://docs.slack.dev/messaging/formatting-message-text. */
const escapeChatMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Slack, Mattermost, Rocket.Chat and others accept `text`. */
export const formatAlertWebhookBody = (
  content: AlertContent,
  format: 'slack' | 'json',
  { id, organization_id }: Pick<AlertRuleRow, 'id' | 'organization_id'>,
): string => {
  if (format === 'slack')
    return JSON.stringify({ text: escapeChatMarkup(`${formatAlertHeadline(content)} (${content.rule_name})`) });
  const { event, ...rest } = content;
  return JSON.stringify({ type: `alert.${event}`, organization_id, alert_rule_id: id, ...rest });
};
