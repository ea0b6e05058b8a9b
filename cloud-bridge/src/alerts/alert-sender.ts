import { unsealAlertWebhook } from '../resources/alert-rules.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { AlertMessageRow, AlertRuleRow } from '../storage/alert-schema.ts';
import { computeNextWebhookAttemptAt } from '../webhooks/retry-policy.ts';
import { WebhookClient } from '../webhooks/webhook-client.ts';
import {
  type AlertContent,
  formatAlertEmailText,
  formatAlertHeadline,
  formatAlertWebhookBody,
} from './format-alert-messages.ts';

/** Longer than an attempt takes. After that, another bridge sends the message of a bridge that stopped. */
const LEASE_MS = 60_000;
const BATCH = 50;
const RETENTION_MS = 30 * 86_400_000;

type SenderServices = Pick<
  BridgeServices,
  'storage' | 'clock' | 'masterKeys' | 'webhookAddresses' | 'accountMailer' | 'publicUrl'
>;

/** Sends queued messages by email and to webhooks, with retries for an hour. */
export class AlertSender {
  readonly #services: SenderServices;
  readonly #random: () => number;
  readonly #client: WebhookClient;

  constructor(services: SenderServices, random: () => number) {
    this.#services = services;
    this.#random = random;
    this.#client = new WebhookClient(services.webhookAddresses, services.clock);
  }

  async sendDue(): Promise<void> {
    const { storage, clock } = this.#services;
    const due = await storage.reader
      .selectFrom('alert_messages')
      .selectAll()
      .where('status', '=', 'pending')
      .where('next_attempt_at', '<=', clock())
      .orderBy('id')
      .limit(BATCH)
      .execute();
    await Promise.all(due.map(message => this.#send(message)));
  }

  async deleteOld(): Promise<void> {
    const { storage, clock } = this.#services;
    await storage.writer
      .deleteFrom('alert_messages')
      .where('created_at', '<', clock() - RETENTION_MS)
      .execute();
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** True for exactly one of several bridges. */
  async #lease({ id, next_attempt_at }: AlertMessageRow): Promise<boolean> {
    const { storage, clock } = this.#services;
    const { numUpdatedRows } = await storage.writer
      .updateTable('alert_messages')
      .set({ next_attempt_at: clock() + LEASE_MS })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('next_attempt_at', '=', next_attempt_at)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async #send(message: AlertMessageRow): Promise<void> {
    if (!(await this.#lease(message))) return;
    const { storage } = this.#services;
    const rule = await storage.reader
      .selectFrom('alert_rules')
      .innerJoin('organizations', 'organizations.id', 'alert_rules.organization_id')
      .selectAll('alert_rules')
      .select('organizations.name as organization_name')
      .where('alert_rules.id', '=', message.alert_rule_id)
      .executeTakeFirstOrThrow();
    await this.#record(message, await this.#attempt(message, rule));
  }

  /** The reason of a failure, or null. */
  async #attempt(
    message: AlertMessageRow,
    rule: AlertRuleRow & { readonly organization_name: string },
  ): Promise<string | null> {
    const { accountMailer, masterKeys, publicUrl } = this.#services;
    const content = JSON.parse(message.content) as AlertContent;
    try {
      if (message.channel === 'email') {
        const timeZone = await this.#timeZoneOf(content);
        const text = formatAlertEmailText(content, { organizationName: rule.organization_name, timeZone, publicUrl });
        await accountMailer.send({ to: message.email ?? '', subject: formatAlertHeadline(content), text });
        return null;
      }
      const webhook = unsealAlertWebhook(masterKeys, rule);
      if (webhook === null) return 'the rule has no webhook any more';
      const body = formatAlertWebhookBody(content, rule.webhook_format ?? 'json', rule);
      return (await this.#client.post({ id: message.id, ...webhook, body })).error;
    } catch (error) {
      return (error as Error).message.slice(0, 300);
    }
  }

  async #timeZoneOf({ site_id }: AlertContent): Promise<string | null> {
    if (site_id === null) return null;
    const { reader } = this.#services.storage;
    const site = await reader.selectFrom('sites').select('timezone').where('id', '=', site_id).executeTakeFirst();
    return site?.timezone ?? null;
  }

  async #record({ id, attempts: before, created_at }: AlertMessageRow, error: string | null): Promise<void> {
    const { storage, clock } = this.#services;
    const now = clock();
    const attempts = before + 1;
    const random = this.#random();
    const next =
      error === null
        ? null
        : computeNextWebhookAttemptAt({ attempts, triedSince: created_at, now, retryAfterMs: null, random });
    const status = error === null ? 'sent' : next === null ? 'failed' : 'pending';
    await storage.writer
      .updateTable('alert_messages')
      .set({ status, attempts, error, next_attempt_at: next, sent_at: error === null ? now : null })
      .where('id', '=', id)
      .execute();
  }
}
