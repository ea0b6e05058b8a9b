import type { Id, IdKind } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import { sql, type Kysely } from 'kysely';
import type { DerivedKeys, MasterKeys } from '../secrets/master-key.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';
import type { Actor } from './actor.ts';
import { GroupCommit } from './group-commit.ts';
import {
  type AccessChange,
  lockOrganization,
  type OrganizationJournal,
  recordJournal,
  type RecordedJournal,
} from './journal.ts';
import { type NewEvent, pendingEvent } from './new-event.ts';

/** What a write may do: change rows, say what happened, and say what controllers must learn. */
export interface WriteContext {
  readonly db: Kysely<Database>;
  readonly organizationId: string;
  readonly now: Instant;
  readonly keys: DerivedKeys;
  readonly masterKeys: MasterKeys;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
  /** By whoever writes, unless somebody else is named. */
  log(event: NewEvent, by?: Actor): void;
  changed(objectType: string, objectId: string): void;
}

export interface WriterDependencies {
  readonly storage: Storage;
  readonly masterKeys: MasterKeys;
  readonly clock: () => Instant;
  readonly newId: <K extends IdKind>(kind: K) => Id<K>;
}

/** Runs within the transaction that records the events; what it writes is committed with them. */
export type JournalListener = (db: Kysely<Database>, recorded: RecordedJournal) => Promise<void>;

interface Frame {
  readonly journals: Map<string, OrganizationJournal>;
  readonly keys: Map<string, DerivedKeys>;
  recorded: RecordedJournal[];
}

/** A transaction that is under way, for writes that become part of it. */
interface Transaction {
  readonly db: Kysely<Database>;
  readonly organizationId: string;
  readonly journal: OrganizationJournal;
  readonly contextFor: (actor: Actor) => WriteContext;
}

/** The one way to change an organization's data: rows, events and revision are committed together or not at all. */
export class Writer {
  readonly #dependencies: WriterDependencies;
  readonly #lanes = new Map<string, GroupCommit<Frame>>();
  readonly #withinCommit: JournalListener[] = [];
  readonly #afterCommit: Array<(recorded: RecordedJournal) => void> = [];

  readonly #afterGroup: Array<(works: number) => void> = [];
  readonly #within: Transaction | null;

  constructor(dependencies: WriterDependencies, within: Transaction | null = null) {
    this.#dependencies = dependencies;
    this.#within = within;
  }

  onRecorded(listener: JournalListener): void {
    this.#withinCommit.push(listener);
  }

  onCommitted(listener: (recorded: RecordedJournal) => void): void {
    this.#afterCommit.push(listener);
  }

  /** Told how many writes a commit held. */
  onGroup(listener: (works: number) => void): void {
    this.#afterGroup.push(listener);
  }

  write<T>(organizationId: string, actor: Actor, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return this.writeJoined(organizationId, actor, work);
  }

  /** Like `write`, with a writer whose writes become part of this one: all of them are committed together. */
  writeJoined<T>(
    organizationId: string,
    actor: Actor,
    work: (context: WriteContext, joined: Writer) => Promise<T>,
  ): Promise<T> {
    const within = this.#within;
    if (within !== null) return joinedWrite(within, organizationId, actor, context => work(context, this));
    return this.#lane(organizationId).run(async (db, frame) => {
      const keys = await this.#keysOf(db, frame, organizationId);
      const { clock, newId, masterKeys } = this.#dependencies;
      const now = clock();
      const journal: OrganizationJournal = { events: [], changes: [] };
      const contextFor = (actor: Actor): WriteContext => ({
        db,
        organizationId,
        now,
        keys,
        masterKeys,
        newId,
        log: (event, by = actor) => {
          journal.events.push(pendingEvent({ id: event.id ?? newId('event'), ...event }, by, organizationId, now));
        },
        changed: (object_type, object_id) => {
          journal.changes.push({ object_type, object_id } satisfies AccessChange);
        },
      });
      const value = await work(
        contextFor(actor),
        new Writer(this.#dependencies, { db, organizationId, journal, contextFor }),
      );
      keep(frame, organizationId, journal);
      return value;
    });
  }

  /** SQLite has one writer at a time anyway; PostgreSQL takes one transaction per organization side by side. */
  #lane(organizationId: string): GroupCommit<Frame> {
    const name = this.#dependencies.storage.engine === 'sqlite' ? '' : organizationId;
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    for (const [key, lane] of this.#lanes) if (lane.isIdle) this.#lanes.delete(key);
    const lane = new GroupCommit<Frame>(this.#dependencies.storage, {
      begin: async db => {
        const frame: Frame = { journals: new Map(), keys: new Map(), recorded: [] };
        // Before the first savepoint: PostgreSQL lets go of locks that were taken inside one that is rolled back.
        if (name !== '') await this.#keysOf(db, frame, name);
        return frame;
      },
      end: (db, frame) => this.#record(db, frame),
      committed: (frame, works) => {
        for (const listener of this.#afterGroup) listener(works);
        for (const recorded of frame.recorded) for (const listener of this.#afterCommit) listener(recorded);
      },
    });
    this.#lanes.set(name, lane);
    return lane;
  }

  async #keysOf(db: Kysely<Database>, frame: Frame, organizationId: string): Promise<DerivedKeys> {
    const known = frame.keys.get(organizationId);
    if (known !== undefined) return known;
    const { storage, masterKeys } = this.#dependencies;
    const organization = await lockOrganization(db, storage.engine, organizationId);
    if (organization === undefined) throw new Error(`organization ${organizationId} is gone`);
    const keys = masterKeys.keys(organization.key_version);
    frame.keys.set(organizationId, keys);
    return keys;
  }

  async #record(db: Kysely<Database>, frame: Frame): Promise<void> {
    for (const [organizationId, journal] of frame.journals) {
      const recorded = await recordJournal(db, organizationId, journal, this.#dependencies.clock());
      for (const listener of this.#withinCommit) await listener(db, recorded);
      frame.recorded.push(recorded);
    }
  }
}

/** One that fails takes back its own rows and words, so that a caller who catches the error goes on cleanly. */
const joinedWrite = async <T>(
  { db, organizationId, journal, contextFor }: Transaction,
  organization: string,
  actor: Actor,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => {
  if (organization !== organizationId) throw new Error('a joined write belongs to the same organization');
  const [events, changes] = [journal.events.length, journal.changes.length];
  await sql.raw('savepoint joined').execute(db);
  try {
    const value = await work(contextFor(actor));
    await sql.raw('release savepoint joined').execute(db);
    return value;
  } catch (error) {
    journal.events.length = events;
    journal.changes.length = changes;
    await sql.raw('rollback to savepoint joined').execute(db);
    await sql.raw('release savepoint joined').execute(db);
    throw error;
  }
};

const keep = (frame: Frame, organizationId: string, { events, changes }: OrganizationJournal): void => {
  if (events.length === 0 && changes.length === 0) return;
  const journal = frame.journals.get(organizationId) ?? { events: [], changes: [] };
  journal.events.push(...events);
  journal.changes.push(...changes);
  frame.journals.set(organizationId, journal);
};
