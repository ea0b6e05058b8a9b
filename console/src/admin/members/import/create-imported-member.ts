import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { OrganizationClient } from '../../api/organization-client.ts';
import type { MemberToImport } from './import-plan.ts';

/** Creates a member with emails and groups, or nothing: deletes the member again if a later step fails. */
export const createImportedMember = async (client: OrganizationClient, planned: MemberToImport): Promise<string> => {
  const { name, starts_at, ends_at, emails, groupIds } = planned;
  const { id } = await client.post<MemberResponse>('/members', { name, starts_at, ends_at });
  const path = `/members/${id}`;
  try {
    for (const email of emails) await client.post(`${path}/emails`, { email });
    for (const member_group_id of groupIds) await client.post(`${path}/group_associations`, { member_group_id });
    return id;
  } catch (error) {
    await client.delete(path);
    throw error;
  }
};
