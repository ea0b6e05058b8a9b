import type { MemberCreate, MemberEdit } from '@lintel/wire-protocol/rest/member';
import { type DateTime, instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { invalid } from '../http/api-error.ts';
import type { MemberRow } from '../storage/schema.ts';
import { Resource } from '../transactions/resource.ts';
import { requireRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { requireCardsStillFree } from './member-cards.ts';
import { claimPinsOfMember, releasePinsOfMember } from './pin-claims.ts';

const instantOrNull = (time: DateTime | null): number | null => (time === null ? null : instantOf(time));

const members = new Resource('member', 'members');

export const createMember = (context: WriteContext, body: MemberCreate): Promise<MemberRow> =>
  members.create(context, body, {
    name: body.name,
    starts_at: instantOrNull(body.starts_at),
    ends_at: instantOrNull(body.ends_at),
    language: body.language,
    expired_for: null,
  });

export const editMember = async (context: WriteContext, id: string, body: MemberEdit): Promise<MemberRow> => {
  const row = await requireRow(context, 'members', 'member', id);
  const starts = body.starts_at === undefined ? row.starts_at : instantOrNull(body.starts_at);
  const ends = body.ends_at === undefined ? row.ends_at : instantOrNull(body.ends_at);
  if (starts !== null && ends !== null && ends < starts) {
    throw invalid(body.ends_at === undefined ? 'starts_at' : 'ends_at', 'ends_at must not be before starts_at');
  }
  const changes: Partial<MemberRow> = {};
  if (body.is_deleted === false && row.is_deleted === 1) {
    changes.is_deleted = 0;
    // Undeleted by a person after its end: it stays until its dates change.
    if (ends !== null && ends === row.ends_at && ends <= context.now) changes.expired_for = ends;
    await claimPinsOfMember(context, id);
    await requireCardsStillFree(context, id);
  }
  const { name, language } = body;
  const edited = await members.edit(context, row, body, {
    name,
    language,
    starts_at: starts,
    ends_at: ends,
    ...changes,
  });
  return body.is_deleted === true ? deleteMember(context, id) : edited;
};

/** All access ends with it; credentials and associations stay as they are. */
export const deleteMember = (context: WriteContext, id: string): Promise<MemberRow> =>
  members.delete(context, id, () => releasePinsOfMember(context, id));
