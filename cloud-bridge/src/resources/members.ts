import type { CreateMemberRequest, EditMemberRequest } from '@lintel/wire-protocol/rest/member';
import { createNotFoundError } from '../http/api-error.ts';
import type { MemberRow } from '../storage/schema.ts';
import { ResourceWriter } from '../transactions/resource-writer.ts';
import { requireRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { requireMemberCardsAvailable } from './member-cards.ts';
import { reservePinsOfMember, releasePinsOfMember } from './pin-reservations.ts';
import { isShortened, toInstantOrNull, mergeValidity } from './merge-validity.ts';

const members = new ResourceWriter('member', 'members');

export const createMember = (context: WriteContext, body: CreateMemberRequest): Promise<MemberRow> =>
  members.create(context, body, {
    name: body.name,
    starts_at: toInstantOrNull(body.starts_at),
    ends_at: toInstantOrNull(body.ends_at),
    language: body.language,
    expired_for: null,
  });

export const editMember = async (context: WriteContext, id: string, body: EditMemberRequest): Promise<MemberRow> => {
  const row = await requireRow(context, 'members', 'member', id);
  if (row.is_deleted === 1 && body.is_deleted !== false) throw createNotFoundError('member', id);
  const { starts_at: starts, ends_at: ends } = mergeValidity(row, body);
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
  if (isShortened(row, edited)) context.markWithdrawn(id, 'time');
  if (isShortened(edited, row) || edited.is_deleted !== row.is_deleted) context.markGiven(id);
  return body.is_deleted === true ? deleteMember(context, id) : edited;
};

/** Ends all access. Keeps credentials and group associations. */
export const deleteMember = (context: WriteContext, id: string): Promise<MemberRow> =>
  members.delete(context, id, async () => {
    context.markWithdrawn(id, 'time');
    await releasePinsOfMember(context, id);
  });
