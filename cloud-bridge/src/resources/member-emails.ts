import type { MemberEmailCreate } from '@lintel/wire-protocol/rest/member-email';
import type { MemberEmailRow } from '../storage/schema.ts';
import { insertRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { newCredential, tellOfCredential } from './member-credentials.ts';

export const createMemberEmail = async (
  context: WriteContext,
  memberId: string,
  { email, metadata }: MemberEmailCreate,
): Promise<MemberEmailRow> => {
  const credential = await newCredential(context, 'member_email', memberId, metadata);
  const row = await insertRow(context, 'member_emails', { ...credential, email });
  tellOfCredential(context, 'create', 'member_email', row);
  return row;
};
