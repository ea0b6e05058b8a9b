import { englishAlertTexts } from '@lintel/access-core/alerts/texts/english';
const kinds: Readonly<Record<string, string>> = {
  door_forced: 'A door is forced open',
  door_held_open: 'A door is held open',
  device_offline: 'A controller is offline',
  many_denials: 'A door denies access many times',
  device_fault: 'A controller has a fault',
  low_battery: 'A battery is low',
  device_claimed: 'A new controller is claimed',
  all_doors_access: 'Somebody gets access to all doors',
};

const statuses: Readonly<Record<string, string>> = { sent: 'Sent', pending: 'Waiting', failed: 'Failed' };

export const alertsMessages = {
  title: 'Alerts',
  /** Sentences about what happened, also in messages of the bridge. */
  texts: englishAlertTexts,
  subtitle: 'Messages when a door or a controller needs attention',
  rules: 'Alert rules',
  newRule: 'New alert rule',
  editRule: 'Edit alert rule',
  noRules: 'No alert rules yet',
  noRulesText: 'Create a rule to get an email or a chat message, for example when a door is forced open.',
  active: 'Active now',
  noneActive: 'No alert is active',
  when: 'When',
  kinds,
  offlineMinutes: 'Offline for at least (minutes)',
  denialMinutes: 'Within (minutes)',
  denials: 'Denials',
  describeRule: (text: string, kind: string, minutes: number, count: number) => {
    if (kind === 'device_offline') return `${text} for ${minutes} min`;
    return kind === 'many_denials' ? `${text}: ${count} in ${minutes} min` : text;
  },
  site: 'Site',
  allSites: 'All sites',
  nameHint: 'Appears in the message. If it is empty, the message uses the text above.',
  emails: 'Email addresses',
  emailsHint: 'Separate several addresses with commas. An address that no user has gets a link to confirm it first.',
  unconfirmed: (addresses: string) =>
    `Not confirmed: ${addresses}. No messages are sent there until the link in the mail is opened. Save the rule again after an hour to send another link.`,
  noEmail: 'This bridge sends no email. The operator can set --smtp-url. Use a webhook instead.',
  language: 'Language of the messages',
  webhook: 'Webhook',
  slack: 'Chat (Slack-compatible)',
  json: 'JSON to your server',
  keepWebhook: (host: string) => `Keep ${host}`,
  webhookUrl: 'Address of the webhook',
  slackHint: 'From “Incoming webhooks” of Slack, Mattermost or another chat.',
  jsonHint: 'Receives a signed POST request for each message.',
  enabled: 'On',
  test: 'Send test',
  testSent: 'A test message is on its way. It appears below.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'No more messages are sent for this rule.',
  messages: 'Messages',
  noMessages: 'No message was sent yet.',
  headline: (event: string, text: string) =>
    event === 'raised' ? text : event === 'resolved' ? `Resolved: ${text}` : 'Test message',
  statuses,
};
