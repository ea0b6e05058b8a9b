import { AlertSender } from '../alerts/alert-sender.ts';
import { createTestAlertContent } from '../alerts/format-alert-messages.ts';
import { raiseAndResolveAlerts } from '../alerts/raise-and-resolve-alerts.ts';
import { reconcileDueScheduleExceptions } from '../automation/reconcile-due-schedule-exceptions.ts';
import { runDueScheduleTriggers } from '../automation/run-due-schedule-triggers.ts';
import { runDueVirtualGadgetTimers } from '../automation/run-due-virtual-gadget-timers.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { deleteOldAccessChanges } from '../devices/delete-old-access-changes.ts';
import { applyRetention, type RetentionTableName } from '../retention/apply-retention.ts';
import { deleteDueEndedMembers } from '../tasks/member-auto-deletion.ts';
import { PostponedDeletions } from '../retention/postponed-deletions.ts';
import { TaskLease } from '../tasks/task-lease.ts';

/* Each function does once what a background task of the bridge does at its interval, at the time of the bridge. */

const throwError = (error: unknown): never => {
  throw error;
};

interface Interruption {
  /** Called after the task has read what is due, and before it writes. */
  readonly beforeWrite?: () => Promise<unknown>;
}

const interrupt = ({ storage, writer, clock }: BridgeServices, { beforeWrite }: Interruption) => {
  const write: typeof writer.write = async (...given) => {
    await beforeWrite?.();
    return writer.write(...given);
  };
  return { storage, clock, writer: { write } };
};

export const runAlerts = (services: BridgeServices, interruption: Interruption = {}): Promise<void> =>
  raiseAndResolveAlerts(interrupt(services, interruption));

/** Adds a message of the rule that waits to be sent to each address. */
export const queueAlertMails = async (
  { storage, newId, clock }: BridgeServices,
  ruleId: string,
  emails: readonly string[],
): Promise<void> => {
  const rule = await storage.reader
    .selectFrom('alert_rules')
    .selectAll()
    .where('id', '=', ruleId)
    .executeTakeFirstOrThrow();
  const { organization_id, id: alert_rule_id } = rule;
  const [content, now] = [JSON.stringify({ ...createTestAlertContent(rule, clock()), event: 'raised' }), clock()];
  const message = { organization_id, alert_rule_id, content, status: 'pending', attempts: 0, is_test: 0 } as const;
  const times = { created_at: now, next_attempt_at: now, sent_at: null, error: null };
  const rows = emails.map(email => ({
    ...message,
    ...times,
    id: newId('alert_message'),
    channel: 'email' as const,
    email,
  }));
  for (let start = 0; start < rows.length; start += 100)
    await storage.writer
      .insertInto('alert_messages')
      .values(rows.slice(start, start + 100))
      .execute();
};

/** Sends the messages of alert rules that wait, until it is disposed. */
export const startAlertMails = (services: BridgeServices): AlertSender & AsyncDisposable => {
  const sender = new AlertSender(services, Math.random, throwError);
  void sender.startDue();
  return Object.assign(sender, { [Symbol.asyncDispose]: () => sender.close() });
};

export const runScheduleTriggers = (services: BridgeServices, interruption: Interruption = {}): Promise<void> =>
  runDueScheduleTriggers(interrupt(services, interruption));

export const runScheduleExceptions = (services: BridgeServices): Promise<void> =>
  reconcileDueScheduleExceptions(services);

export const runVirtualGadgetTimers = (services: BridgeServices): Promise<void> =>
  runDueVirtualGadgetTimers(services, throwError);

/** Returns the number of deleted members. */
export const runAutoDeletion = (services: BridgeServices): Promise<number> =>
  deleteDueEndedMembers(services, throwError);

/** Opens and closes incidents of a clock that is ahead, as the bridge does every five seconds. */
export const checkPostponedDeletions = (services: BridgeServices): Promise<void> =>
  new PostponedDeletions(services, { error: () => undefined, info: () => undefined }).check();

export const runDeletionOfAccessChanges = ({ storage, deletionClock }: BridgeServices): Promise<unknown> =>
  deleteOldAccessChanges(storage, deletionClock.now(null));

/** Several bridges run the task with this name in turn. */
export const openTaskLease = ({ storage, clock }: BridgeServices, task: 'retention'): TaskLease =>
  new TaskLease(storage, task, clock);

export interface RetentionRun {
  /** Removed rows by table and organization; `null` for a month of events of all organizations. */
  readonly removed: ReadonlyArray<{
    readonly table: RetentionTableName;
    readonly organizationId: string | null;
    readonly rows: number;
  }>;
  /** Number of pauses between batches. */
  readonly pauses: number;
  /** Number of events whose month has no partition, with PostgreSQL. */
  readonly inDefaultPartition: number;
}

export const runRetention = async (services: BridgeServices): Promise<RetentionRun> => {
  const removed: RetentionRun['removed'][number][] = [];
  let [pauses, inDefaultPartition] = [0, -1];
  await applyRetention({
    services,
    lease: openTaskLease(services, 'retention'),
    pause: async () => {
      pauses += 1;
    },
    onRemoved: (table, organizationId, rows) => removed.push({ table, organizationId, rows }),
    onDefaultPartition: rows => {
      inDefaultPartition = rows;
    },
    stopping: new AbortController().signal,
  });
  return { removed, pauses, inDefaultPartition };
};
