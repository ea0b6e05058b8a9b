import type { MemberCreate, MemberEdit } from '@lintel/wire-protocol/rest/member';
import { type DateTime, instantOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { invalid } from '../http/api-error.ts';
import type { MemberRow } from '../storage/schema.ts';
import { insertRow, mergedMetadata, requireRow, requireTags, updateRow } from '../writing/rows.ts';
import type { WriteContext } from '../writing/writer.ts';
import { requireCardsStillFree } from './member-cards.ts';
import { claimPinsOfMember, releasePinsOfMember } from './pin-claims.ts';

const instantOrNull = (time: DateTime | null): number | null => (time === null ? null : instantOf(time));

const tellOf = (context: WriteContext, verb: 'create' | 'edit' | 'delete', id: string): void => {
  context.log({ verb, object: { type: 'member', member_id: id } });
  context.changed('member', id);
};

export const createMember = async (context: WriteContext, body: MemberCreate): Promise<MemberRow> => {
  await requireTags(context, body.tag_ids);
  const row = await insertRow(context, 'members', {
    id: context.newId('member'),
    organization_id: context.organizationId,
    is_deleted: 0,
    created_at: context.now,
    metadata: JSON.stringify(body.metadata),
    name: body.name,
    starts_at: instantOrNull(body.starts_at),
    ends_at: instantOrNull(body.ends_at),
    language: body.language,
    tag_ids: JSON.stringify(body.tag_ids),
    expired_for: null,
  });
  tellOf(context, 'create', row.id);
  return row;
};

export const editMember = async (context: WriteContext, id: string, body: MemberEdit): Promise<MemberRow> => {
  const row = await requireRow(context, 'members', 'member', id);
  if (body.tag_ids !== undefined) await requireTags(context, body.tag_ids);
  const changes: Partial<MemberRow> = {};
  if (body.name !== undefined) changes.name = body.name;
  if (body.starts_at !== undefined) changes.starts_at = instantOrNull(body.starts_at);
  if (body.ends_at !== undefined) changes.ends_at = instantOrNull(body.ends_at);
  if (body.language !== undefined) changes.language = body.language;
  if (body.metadata !== undefined) changes.metadata = mergedMetadata(row.metadata, body.metadata);
  if (body.tag_ids !== undefined) changes.tag_ids = JSON.stringify(body.tag_ids);
  const starts = changes.starts_at === undefined ? row.starts_at : changes.starts_at;
  const ends = changes.ends_at === undefined ? row.ends_at : changes.ends_at;
  if (starts !== null && ends !== null && ends < starts) {
    throw invalid(body.ends_at === undefined ? 'starts_at' : 'ends_at', 'ends_at must not be before starts_at');
  }
  if (body.is_deleted === false && row.is_deleted === 1) {
    changes.is_deleted = 0;
    // Undeleted by a person after its end: it stays until its dates change.
    if (ends !== null && ends === row.ends_at && ends <= context.now) changes.expired_for = ends;
    await claimPinsOfMember(context, id);
    await requireCardsStillFree(context, id);
  }
  const edited = await updateRow(context, 'members', row, changes);
  if (edited !== row) tellOf(context, 'edit', id);
  return body.is_deleted === true ? deleteMember(context, id) : edited;
};

/** All access ends with it; credentials and associations stay as they are. Deleting twice is deleting once. */
export const deleteMember = async (context: WriteContext, id: string): Promise<MemberRow> => {
  const row = await requireRow(context, 'members', 'member', id);
  if (row.is_deleted === 1) return row;
  await releasePinsOfMember(context, id);
  const deleted = await updateRow(context, 'members', row, { is_deleted: 1 });
  tellOf(context, 'delete', id);
  return deleted;
};
