import type { CreateMemberEmailRequest } from '@lintel/wire-protocol/rest/member-email';
import type { MemberEmailRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { createCredentialColumns, recordCredentialEvent } from './member-credentials.ts';

export const createMemberEmail = async (
  context: WriteContext,
  memberId: string,
  { email, metadata }: CreateMemberEmailRequest,
): Promise<MemberEmailRow> => {
  const credential = await createCredentialColumns(context, 'member_email', memberId, metadata);
  const row = await insertRow(context, 'member_emails', { ...credential, email });
  recordCredentialEvent(context, 'create', 'member_email', row);
  return row;
};
