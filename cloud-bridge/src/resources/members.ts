import type { MemberCreate, MemberEdit } from '@lintel/wire-protocol/rest/member';
import { type DateTime, toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import { invalidFieldError } from '../http/api-error.ts';
import type { MemberRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { requireMemberCardsAvailable } from './member-cards.ts';
import { reservePinsOfMember, releasePinsOfMember } from './pin-reservations.ts';

const instantOrNull = (time: DateTime | null): number | null => (time === null ? null : toInstant(time));

const members = new ResourceWriter('member', 'members');

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
    throw invalidFieldError(
      body.ends_at === undefined ? 'starts_at' : 'ends_at',
      'ends_at must not be before starts_at',
    );
  }
  const changes: Partial<MemberRow> = {};
  if (body.is_deleted === false && row.is_deleted === 1) {
    changes.is_deleted = 0;
    // Undeleted after `ends_at`: excluded from auto-deletion until the date changes.
    if (ends !== null && ends === row.ends_at && ends <= context.now) changes.expired_for = ends;
    await reservePinsOfMember(context, id);
    await requireMemberCardsAvailable(context, id);
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

/** Ends all access. Keeps credentials and group associations. */
export const deleteMember = (context: WriteContext, id: string): Promise<MemberRow> =>
  members.delete(context, id, () => releasePinsOfMember(context, id));
