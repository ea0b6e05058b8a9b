import { DAY_MS } from '@lintel/access-core/durations';
import { sql } from 'kysely';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { parseIdsOfJsonObjects } from '../resources/read-gadget-rows.ts';
import type { GadgetRow } from '../storage/schema.ts';

/** Who or what let a door be unlocked. */
interface Opener {
  readonly type: 'member' | 'user' | 'oauth_application' | 'schedule' | 'gadget_trigger';
  readonly name: string | null;
}

export interface Unlocked {
  /** Null if no event says so, for example because it is deleted by now. */
  readonly since: number | null;
  readonly by: Opener | null;
  /** It stays unlocked until it is locked. */
  readonly stays: boolean;
  /** When the door was locked before, as far as the events say. */
  readonly lockedBefore: number | null;
}

export type GadgetWithState = Pick<GadgetRow, 'id' | 'organization_id' | 'site_id' | 'device_id' | 'name'> &
  Pick<GadgetRow, 'state_id' | 'states'>;

/** Actions that leave a door unlocked, and those that lock it again. */
const stayingActions = ['unlock', 'hold'];
const lockingActions = ['lock', 'close'];
/** Pressing the button comes before the state, at most by this time. */
const BEFORE_MS = 60_000;
const AFTER_MS = 2000;
/** Older events are not read, so that the answer stays quick for a busy door. */
const SEARCHED_MS = 30 * DAY_MS;

interface CauseRow {
  readonly created_at: number;
  readonly action_id: string;
  readonly member_id: string | null;
  readonly member: string | null;
  readonly user_id: string | null;
  readonly user: string | null;
  readonly application_id: string | null;
  readonly application: string | null;
  readonly trigger_id: string | null;
  readonly schedule_id: string | null;
  readonly schedule: string | null;
}

const openerOf = (row: CauseRow): Opener | null => {
  if (row.trigger_id !== null)
    return row.schedule_id === null ? { type: 'gadget_trigger', name: null } : { type: 'schedule', name: row.schedule };
  if (row.member_id !== null) return { type: 'member', name: row.member };
  if (row.user_id !== null) return { type: 'user', name: row.user };
  return row.application_id === null ? null : { type: 'oauth_application', name: row.application };
};

/** The state in which the gadget is unlocked: `unlocked`, or `open` for a gadget that has no such state. */
const unlockedStateOf = ({ states }: GadgetWithState): string => {
  const ids = parseIdsOfJsonObjects(states);
  return ids.includes('unlocked') ? 'unlocked' : 'open';
};

/** When and by whom a door was unlocked. Null for a door that is locked, or open only because somebody goes through. */
export const findUnlocked = async (
  { storage: { reader }, clock }: Pick<BridgeServices, 'storage' | 'clock'>,
  gadget: GadgetWithState,
): Promise<Unlocked | null> => {
  const unlockedState = unlockedStateOf(gadget);
  const isUnlocked = gadget.state_id === unlockedState;
  // An open door that was unlocked before still is.
  if (!isUnlocked && gadget.state_id !== 'open' && gadget.state_id !== 'held_open') return null;
  const events = () =>
    reader
      .selectFrom('events as e')
      .where('e.organization_id', '=', gadget.organization_id)
      .where('e.object_gadget_id', '=', gadget.id);
  const actions = () => events().where('e.object_type', '=', 'gadget_action').where('e.verb', '=', 'use');
  const timeOfState = async (states: readonly string[], after: number, direction: 'asc' | 'desc') => {
    const found = await events()
      .select('e.created_at')
      .where('e.object_type', '=', 'gadget_state')
      .where('e.object_gadget_state_id', 'in', states)
      .where('e.created_at', '>=', after)
      .orderBy('e.created_at', direction)
      .limit(1)
      .executeTakeFirst();
    return found?.created_at ?? null;
  };
  const lockedBefore = await timeOfState(['locked', 'closed'], clock() - SEARCHED_MS, 'desc');
  const lockAction = await actions()
    .select('e.created_at')
    .where('e.object_gadget_action_id', 'in', lockingActions)
    .where('e.created_at', '>=', lockedBefore ?? clock() - SEARCHED_MS)
    .orderBy('e.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const earliest = Math.max(lockedBefore ?? clock() - SEARCHED_MS, lockAction?.created_at ?? 0);
  const cause = (from: number, to: number | null, actionIds: readonly string[] | null, direction: 'asc' | 'desc') => {
    let query = actions()
      .leftJoin('members as m', 'm.id', 'e.subject_member_id')
      .leftJoin('users as u', 'u.id', 'e.subject_user_id')
      .leftJoin('oauth_applications as a', 'a.id', 'e.subject_oauth_application_id')
      .leftJoin('gadget_triggers as t', 't.id', 'e.object_gadget_trigger_id')
      .leftJoin('schedules as s', 's.id', 't.source_schedule_id')
      .select([
        'e.created_at',
        sql<string>`e.object_gadget_action_id`.as('action_id'),
        'e.subject_member_id as member_id',
        'm.name as member',
        'e.subject_user_id as user_id',
        sql<string | null>`coalesce(nullif(u.name, ''), u.email)`.as('user'),
        'e.subject_oauth_application_id as application_id',
        'a.name as application',
        'e.object_gadget_trigger_id as trigger_id',
        't.source_schedule_id as schedule_id',
        's.name as schedule',
      ])
      .where('e.created_at', '>=', from);
    if (to !== null) query = query.where('e.created_at', '<=', to);
    query =
      actionIds === null
        ? query.where('e.object_gadget_action_id', 'not in', lockingActions)
        : query.where('e.object_gadget_action_id', 'in', actionIds);
    return query.orderBy('e.created_at', direction).limit(1).executeTakeFirst() as Promise<CauseRow | undefined>;
  };
  const staying = await cause(earliest, null, stayingActions, 'asc');
  if (staying !== undefined) return { since: staying.created_at, by: openerOf(staying), stays: true, lockedBefore };
  if (!isUnlocked) return null;
  const since = await timeOfState([unlockedState], earliest, 'asc');
  if (since === null) return { since, by: null, stays: false, lockedBefore };
  const opening = await cause(since - BEFORE_MS, since + AFTER_MS, null, 'desc');
  return { since, by: opening === undefined ? null : openerOf(opening), stays: false, lockedBefore };
};
