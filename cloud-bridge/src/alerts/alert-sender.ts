import { sql } from 'kysely';
import { MAIL_BUDGET_ERROR } from '../mail/mail-budget.ts';
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
/** Sent at the same time: many, because receivers can be slow. An organization has a few of them. */
const RUNNING_MESSAGES = 50;
const RUNNING_MESSAGES_PER_ORGANIZATION = 5;
const RETENTION_MS = 30 * 86_400_000;

type SenderServices = Pick<
  BridgeServices,
  'storage' | 'clock' | 'masterKeys' | 'webhookAddresses' | 'accountMailer' | 'mailBudget' | 'publicUrl'
>;

type Channel = AlertMessageRow['channel'];

interface Sending {
  message: AlertMessageRow;
  readonly ended: Promise<void>;
}

/** Messages that are being sent. */
class Lane {
  readonly #sending = new Set<Sending>();

  get isFull(): boolean {
    return this.#sending.size >= RUNNING_MESSAGES;
  }

  idsOf(organizationId: string): string[] {
    return [...this.#sending]
      .map(({ message }) => message)
      .filter(message => message.organization_id === organizationId)
      .map(({ id }) => id);
  }

  hasRoomFor({ id, organization_id }: AlertMessageRow): boolean {
    const ids = this.idsOf(organization_id);
    return !this.isFull && ids.length < RUNNING_MESSAGES_PER_ORGANIZATION && !ids.includes(id);
  }

  add(message: AlertMessageRow, send: (sending: { message: AlertMessageRow }) => Promise<void>): void {
    const sending = { message };
    const ended = send(sending).finally(() => this.#sending.delete(entry));
    const entry: Sending = Object.assign(sending, { ended });
    this.#sending.add(entry);
  }

  async whenIdle(): Promise<void> {
    await Promise.all([...this.#sending].map(({ ended }) => ended));
  }
}

/**
 * Sends queued messages by email and to webhooks, with retries for an hour. Alarms go before tests. Organizations take
 * turns, and none waits for the receivers of another.
 */
export class AlertSender {
  readonly #services: SenderServices;
  readonly #random: () => number;
  readonly #client: WebhookClient;
  readonly #onError: (error: unknown) => void;
  readonly #lanes: Readonly<Record<Channel, Lane>> = { email: new Lane(), webhook: new Lane() };
  #starting: Promise<void> | null = null;
  #isClosed = false;

  constructor(services: SenderServices, random: () => number, onError: (error: unknown) => void) {
    this.#services = services;
    this.#random = random;
    this.#client = new WebhookClient(services.webhookAddresses, services.clock);
    this.#onError = onError;
  }

  /** Starts sending what is due. Resolves before it is sent. */
  async startDue(): Promise<void> {
    if (this.#isClosed) return;
    this.#starting ??= Promise.all([this.#start('email'), this.#start('webhook')])
      .then(() => undefined)
      .finally(() => (this.#starting = null));
    await this.#starting;
  }

  async #start(channel: Channel): Promise<void> {
    const lane = this.#lanes[channel];
    for (const message of await this.#findDue(channel)) {
      if (!this.#isClosed && lane.hasRoomFor(message)) lane.add(message, sending => this.#sendOneAfterAnother(sending));
    }
  }

  async #sendOneAfterAnother(sending: { message: AlertMessageRow }): Promise<void> {
    try {
      for (;;) {
        await this.#send(sending.message);
        const next = await this.#findNext(sending.message);
        if (next === undefined) return;
        sending.message = next;
      }
    } catch (error) {
      this.#onError(error);
    }
  }

  /** The next message of the same organization, unless others wait for the place. */
  async #findNext({ channel, organization_id }: AlertMessageRow): Promise<AlertMessageRow | undefined> {
    const lane = this.#lanes[channel];
    if (this.#isClosed) return undefined;
    if (lane.isFull) {
      setImmediate(() => void this.startDue().catch(this.#onError));
      return undefined;
    }
    const { storage, clock } = this.#services;
    return storage.reader
      .selectFrom('alert_messages')
      .selectAll()
      .where('organization_id', '=', organization_id)
      .where('channel', '=', channel)
      .where('status', '=', 'pending')
      .where('next_attempt_at', '<=', clock())
      .where('id', 'not in', lane.idsOf(organization_id))
      .orderBy('is_test')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  /** The first messages of each organization, in the order of turns. */
  async #findDue(channel: Channel): Promise<readonly AlertMessageRow[]> {
    const { storage, clock } = this.#services;
    const { rows } = await sql<AlertMessageRow>`select * from (
        select m.*, row_number() over (partition by m.organization_id order by m.is_test, m.id) as turn
        from alert_messages as m
        where m.status = 'pending' and m.channel = ${channel} and m.next_attempt_at <= ${clock()}
      ) as due
      where turn <= ${RUNNING_MESSAGES_PER_ORGANIZATION}
      order by is_test, turn, id limit ${2 * RUNNING_MESSAGES}`.execute(storage.reader);
    return rows;
  }

  async deleteOld(): Promise<void> {
    const { storage, clock } = this.#services;
    await storage.writer
      .deleteFrom('alert_messages')
      .where('created_at', '<', clock() - RETENTION_MS)
      .execute();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => undefined);
    await this.#client.close();
    await Promise.all(Object.values(this.#lanes).map(lane => lane.whenIdle()));
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
    const { accountMailer, mailBudget, masterKeys, publicUrl } = this.#services;
    const content = JSON.parse(message.content) as AlertContent;
    try {
      if (message.channel === 'email') {
        // Retries of a mail that the server did not accept are free.
        const isCounted = message.attempts > 0 && message.error !== MAIL_BUDGET_ERROR;
        if (!isCounted && (await mailBudget.take('alert', message.organization_id)) > 0) return MAIL_BUDGET_ERROR;
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
