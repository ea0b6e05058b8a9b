import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import { sql, type Kysely } from 'kysely';
import type { DerivedKeys, MasterKeys } from '../secrets/master-keys.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import type { Actor } from './actor.ts';
import { createDirectStatements, DeferredInserts, type WriteStatements } from './deferred-inserts.ts';
import { GroupCommit } from './group-commit.ts';
import {
  type ChangedObject,
  lockOrganizationRow,
  type PendingOrganizationChanges,
  recordOrganizationChanges,
  type RecordedOrganizationChanges,
} from './record-organization-changes.ts';
import { type NewEvent, toPendingEvent } from './pending-event.ts';

/** For writes: access to the database, the event log, and the list of changes for controllers. */
export interface WriteContext extends WriteStatements {
  readonly engine: DatabaseEngine;
  readonly organizationId: string;
  readonly now: Instant;
  readonly keys: DerivedKeys;
  readonly masterKeys: MasterKeys;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
  /** Logs an event. Default actor: the one who performs the write. */
  log(event: NewEvent, by?: Actor): void;
  /** Marks an object as changed, so that controllers receive it. */
  markChanged(objectType: string, objectId: string): void;
  /** The same for a member who loses access, so that the console can tell which doors still accept the member. */
  markWithdrawn(memberId: string, what: 'time' | 'group'): void;
  /** The write gives the member access, or shows what gives it. The end of the write checks whether the actor may. */
  markGiven(memberId: string): void;
}

export interface WriteOptions {
  /** The work changes nothing but the database and may run again after a rollback, which makes it faster. */
  readonly isRepeatable?: boolean;
}

export interface OrganizationWriterDependencies {
  readonly storage: Storage;
  readonly masterKeys: MasterKeys;
  readonly clock: () => Instant;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
  /** Fails if the actor may not give these members the access that they have now. */
  readonly requireMayGive?: (context: WriteContext, memberIds: ReadonlySet<string>, actor: Actor) => Promise<void>;
}

/** Runs within the transaction that records the events. */
export type RecordedChangesListener = (db: Kysely<Database>, recorded: RecordedOrganizationChanges) => Promise<void>;

interface TransactionState {
  /** Null in a group with savepoints: an insert that fails must fail its own write. */
  readonly deferredInserts: DeferredInserts | null;
  readonly journals: Map<string, PendingOrganizationChanges>;
  readonly keys: Map<string, DerivedKeys>;
  recorded: RecordedOrganizationChanges[];
}

/** An open transaction for nested writes. */
interface Transaction {
  readonly statements: WriteStatements;
  readonly organizationId: string;
  readonly journal: PendingOrganizationChanges;
  readonly contextFor: (actor: Actor) => ActorContext;
}

interface ActorContext {
  readonly context: WriteContext;
  /** Call at the end of the actor's work. */
  readonly requireMayGive: () => Promise<void>;
}

/** Writes all changes of organizations. Commits rows, events and revision together or not at all. */
export class OrganizationWriter {
  readonly #dependencies: OrganizationWriterDependencies;
  readonly #groupCommits = new Map<string, GroupCommit<TransactionState>>();
  readonly #recordedListeners: RecordedChangesListener[] = [];
  readonly #committedListeners: Array<(recorded: RecordedOrganizationChanges) => void> = [];
  readonly #groupListeners: Array<(writeCount: number) => void> = [];
  readonly #transaction: Transaction | null;

  constructor(dependencies: OrganizationWriterDependencies, transaction: Transaction | null = null) {
    this.#dependencies = dependencies;
    this.#transaction = transaction;
  }

  onRecorded(listener: RecordedChangesListener): void {
    this.#recordedListeners.push(listener);
  }

  onCommitted(listener: (recorded: RecordedOrganizationChanges) => void): void {
    this.#committedListeners.push(listener);
  }

  /** Calls the listener with the number of writes in each commit. */
  onGroupCommitted(listener: (writeCount: number) => void): void {
    this.#groupListeners.push(listener);
  }

  write<T>(
    organizationId: string,
    actor: Actor,
    work: (context: WriteContext) => Promise<T>,
    options?: WriteOptions,
  ): Promise<T> {
    return this.writeNested(organizationId, actor, work, options);
  }

  /** Like `write`, and passes a writer whose writes join the same transaction. */
  writeNested<T>(
    organizationId: string,
    actor: Actor,
    work: (context: WriteContext, nestedWriter: OrganizationWriter) => Promise<T>,
    { isRepeatable = false }: WriteOptions = {},
  ): Promise<T> {
    const transaction = this.#transaction;
    if (transaction !== null)
      return writeInTransaction(transaction, organizationId, actor, context => work(context, this));
    return this.#groupCommitFor(organizationId).run(async (db, state) => {
      const keys = await this.#keysOf(db, state, organizationId);
      const { clock, newId, masterKeys, storage } = this.#dependencies;
      const now = clock();
      const journal: PendingOrganizationChanges = { events: [], changes: [] };
      const statements = (await state.deferredInserts?.createStatements()) ?? createDirectStatements(db);
      const contextFor = (actor: Actor): ActorContext => {
        const given = new Set<string>();
        const context: WriteContext = {
          get db() {
            return statements.db;
          },
          insert: (table, row) => statements.insert(table, row),
          engine: storage.engine,
          organizationId,
          now,
          keys,
          masterKeys,
          newId,
          log: (event, by = actor) => {
            journal.events.push(toPendingEvent({ id: event.id ?? newId('event'), ...event }, by, organizationId, now));
          },
          markChanged: (object_type, object_id) => {
            journal.changes.push({ object_type, object_id, withdraws: 0 } satisfies ChangedObject);
          },
          markWithdrawn: (object_id, what) => {
            journal.changes.push({
              object_type: 'member',
              object_id,
              withdraws: what === 'time' ? 1 : 2,
            } satisfies ChangedObject);
          },
          markGiven: memberId => {
            given.add(memberId);
          },
        };
        const requireMayGive = async (): Promise<void> => {
          if (given.size > 0) await this.#dependencies.requireMayGive?.(context, given, actor);
        };
        return { context, requireMayGive };
      };
      const { context, requireMayGive } = contextFor(actor);
      const value = await work(
        context,
        new OrganizationWriter(this.#dependencies, { statements, organizationId, journal, contextFor }),
      );
      await requireMayGive();
      appendJournal(state, organizationId, journal);
      return value;
    }, isRepeatable);
  }

  /** One queue for SQLite, which has a single writer. One per organization for PostgreSQL, which writes in parallel. */
  #groupCommitFor(organizationId: string): GroupCommit<TransactionState> {
    const name = this.#dependencies.storage.engine === 'sqlite' ? '' : organizationId;
    const cached = this.#groupCommits.get(name);
    if (cached !== undefined) return cached;
    for (const [key, groupCommit] of this.#groupCommits) if (groupCommit.isIdle) this.#groupCommits.delete(key);
    const groupCommit = new GroupCommit<TransactionState>(this.#dependencies.storage, {
      begin: async (db, hasSavepoints) => {
        const deferredInserts = hasSavepoints ? null : new DeferredInserts(db, this.#dependencies.storage.engine);
        const state: TransactionState = { deferredInserts, journals: new Map(), keys: new Map(), recorded: [] };
        // Before the first savepoint, because a rolled back savepoint releases its locks in PostgreSQL.
        if (name !== '') await this.#keysOf(db, state, name);
        return state;
      },
      beforeCommit: (db, state) => this.#record(db, state),
      afterCommit: (state, writeCount) => {
        for (const listener of this.#groupListeners) listener(writeCount);
        for (const recorded of state.recorded) for (const listener of this.#committedListeners) listener(recorded);
      },
    });
    this.#groupCommits.set(name, groupCommit);
    return groupCommit;
  }

  async #keysOf(db: Kysely<Database>, state: TransactionState, organizationId: string): Promise<DerivedKeys> {
    const cached = state.keys.get(organizationId);
    if (cached !== undefined) return cached;
    const { storage, masterKeys } = this.#dependencies;
    const organization = await lockOrganizationRow(db, storage.engine, organizationId);
    if (organization === undefined) throw new Error(`Organization ${organizationId} does not exist`);
    const keys = masterKeys.derivedKeys(organization.key_version);
    state.keys.set(organizationId, keys);
    return keys;
  }

  async #record(db: Kysely<Database>, state: TransactionState): Promise<void> {
    const { storage, clock } = this.#dependencies;
    await state.deferredInserts?.flush();
    for (const [organizationId, journal] of state.journals) {
      const recorded = await recordOrganizationChanges(
        { db, engine: storage.engine },
        organizationId,
        journal,
        clock(),
      );
      for (const listener of this.#recordedListeners) await listener(db, recorded);
      state.recorded.push(recorded);
    }
  }
}

/** A failed nested write rolls back only its own rows, events and changes, so the caller can continue. */
const writeInTransaction = async <T>(
  { statements, organizationId, journal, contextFor }: Transaction,
  organization: string,
  actor: Actor,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => {
  if (organization !== organizationId) throw new Error('A nested write must belong to the same organization');
  const { db } = statements;
  const [events, changes] = [journal.events.length, journal.changes.length];
  await sql.raw('savepoint nested').execute(db);
  try {
    const { context, requireMayGive } = contextFor(actor);
    const value = await work(context);
    await requireMayGive();
    await sql.raw('release savepoint nested').execute(db);
    return value;
  } catch (error) {
    journal.events.length = events;
    journal.changes.length = changes;
    try {
      await sql.raw('rollback to savepoint nested').execute(db);
      await sql.raw('release savepoint nested').execute(db);
    } catch {
      // The whole transaction is lost. Its error is the one to report.
    }
    throw error;
  }
};

const appendJournal = (
  state: TransactionState,
  organizationId: string,
  { events, changes }: PendingOrganizationChanges,
): void => {
  if (events.length === 0 && changes.length === 0) return;
  const journal = state.journals.get(organizationId) ?? { events: [], changes: [] };
  journal.events.push(...events);
  journal.changes.push(...changes);
  state.journals.set(organizationId, journal);
};
