import type { FastifyBaseLogger } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { acknowledgeIncident, recordIncident } from '../resources/incidents.ts';
import { isExpiryDueBetween } from './delete-expired-records.ts';
import { loadRetentionRows } from './retention-settings.ts';
import { createBackgroundErrorLogger } from '../storage/background-error-logger.ts';
import { computeEffectiveRetention, computeRetentionCutoff } from '../storage/retention-policy.ts';
import { systemActor } from '../transactions/actor.ts';
import { isDeletionDueBetween } from '../tasks/member-auto-deletion.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';

type ClockServices = Pick<BridgeServices, 'storage' | 'writer' | 'clock' | 'deletionClock' | 'retention'>;

const CHECK_MS = 5000;
const STORE_MS = 60_000;

/** True if the clock of the machine would delete something that the expected time does not. */
const isAnythingPostponed = async (
  { storage, clock, deletionClock, retention }: ClockServices,
  organizationId: string,
  retentionRows: Awaited<ReturnType<typeof loadRetentionRows>>,
): Promise<boolean> => {
  const [expected, shown] = [deletionClock.now(organizationId), clock()];
  if (await isDeletionDueBetween(storage, organizationId, expected, shown)) return true;
  const { events, deliveries } = computeEffectiveRetention(retentionRows.get(organizationId), retention);
  for (const [table, days] of [['events', events] as const, ['webhook_deliveries', deliveries] as const]) {
    const [earlier, later] = [computeRetentionCutoff(days, expected), computeRetentionCutoff(days, shown)];
    if (earlier === null || later === null) continue;
    if (await isExpiryDueBetween(storage, organizationId, table, [earlier, later])) return true;
  }
  return false;
};

const openIncidents = async (services: ClockServices): Promise<void> => {
  const { storage, writer, deletionClock } = services;
  const organizations = await storage.reader
    .selectFrom('organizations')
    .select('id')
    .where('is_deleted', '=', 0)
    .execute();
  const retentionRows = await loadRetentionRows(storage.reader);
  for (const { id } of organizations) {
    if (deletionClock.leadOf(id) === 0 || !(await isAnythingPostponed(services, id, retentionRows))) continue;
    await writer.write(id, systemActor, context =>
      recordIncident(context, 'clock_ahead', { device_ids: [], revoked_ids: [] }),
    );
  }
};

const closeIncidents = async ({ storage, writer }: ClockServices): Promise<void> => {
  const open = await storage.reader
    .selectFrom('incidents')
    .select(['id', 'organization_id'])
    .where('kind', '=', 'clock_ahead')
    .where('acknowledged_at', 'is', null)
    .execute();
  for (const { id, organization_id } of open)
    await writer.write(organization_id, systemActor, context => acknowledgeIncident(context, id, null));
};

/** Remembers the time for the next start, and opens incidents while the clock of the machine postpones deletions. */
export class PostponedDeletions {
  readonly #services: ClockServices;
  readonly #log: Pick<FastifyBaseLogger, 'error' | 'info'>;
  #isAhead: boolean | null = null;
  #storedAt = 0;

  constructor(services: ClockServices, log: Pick<FastifyBaseLogger, 'error' | 'info'>) {
    this.#services = services;
    this.#log = log;
  }

  async check(): Promise<void> {
    const { storage, deletionClock } = this.#services;
    await deletionClock.load(storage.reader);
    const lead = deletionClock.leadOf(null);
    this.#report(lead);
    await this.#store();
    if (lead > 0) await openIncidents(this.#services);
    else if (this.#isAhead !== false) await closeIncidents(this.#services);
    this.#isAhead = lead > 0;
  }

  async #store(): Promise<void> {
    const { storage, deletionClock } = this.#services;
    const now = deletionClock.now(null);
    if (now - this.#storedAt < STORE_MS) return;
    await deletionClock.store(storage.writer);
    this.#storedAt = now;
  }

  #report(lead: number): void {
    const { clock, deletionClock } = this.#services;
    if (lead > 0 && this.#isAhead !== true)
      this.#log.error(
        {
          clock: new Date(clock()).toISOString(),
          expected: new Date(deletionClock.now(null)).toISOString(),
        },
        'The clock is ahead of the expected time, or the bridge was stopped for long. What is due only by the clock is not deleted. Correct the clock, or confirm that it is right: lintel clock confirm',
      );
    if (lead === 0 && this.#isAhead === true) this.#log.info('The clock is right again');
  }
}

export const startPostponedDeletions = (services: BridgeServices, log: FastifyBaseLogger): PeriodicTask => {
  const postponed = new PostponedDeletions(services, log);
  const onError = createBackgroundErrorLogger(log, 'Checking the clock failed');
  const task = new PeriodicTask(() => postponed.check(), CHECK_MS, onError);
  task.start();
  return task;
};
