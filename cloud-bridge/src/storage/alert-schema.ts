type Flag = 0 | 1;
type Json = string;

export interface AlertRuleRow {
  id: string;
  organization_id: string;
  name: string;
  kind: string;
  minutes: number;
  count: number;
  site_id: string | null;
  emails: Json;
  /** Null: English. */
  language: string | null;
  /** Null without a webhook. */
  webhook_format: 'slack' | 'json' | null;
  webhook_host: string | null;
  /** JSON of URL and signing secret; the URL of a chat webhook is a secret too. Empty without a webhook. */
  sealed_webhook: string;
  is_enabled: Flag;
  is_deleted: Flag;
  created_at: number;
}

/** A condition that lasts and was reported. */
export interface ActiveAlertRow {
  alert_rule_id: string;
  /** The door, the device, or the device with the code of a fault. */
  subject_id: string;
  organization_id: string;
  text: string;
  since: number;
  raised_at: number;
  /** JSON with site, gadget, device and what happened. */
  details: Json;
}

/** A message to one receiver. A pending message is sent at `next_attempt_at`. */
export interface AlertMessageRow {
  id: string;
  organization_id: string;
  alert_rule_id: string;
  channel: 'email' | 'webhook';
  email: string | null;
  content: Json;
  status: 'pending' | 'sent' | 'failed';
  attempts: number;
  created_at: number;
  next_attempt_at: number | null;
  sent_at: number | null;
  error: string | null;
  is_test: Flag;
}

/** An address that rules may send to once it is confirmed. Users of the organization need no row. */
interface AlertAddressRow {
  organization_id: string;
  /** Normalized. */
  email: string;
  /** Of the link in the mail; empty after it was used. */
  token_hash: string;
  sent_at: number;
  expires_at: number;
  confirmed_at: number | null;
}

export interface AlertTables {
  alert_rules: AlertRuleRow;
  alert_addresses: AlertAddressRow;
  active_alerts: ActiveAlertRow;
  alert_messages: AlertMessageRow;
}
