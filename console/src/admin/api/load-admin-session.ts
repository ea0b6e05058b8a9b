import type { AdministeredOrganizationResponse } from '@lintel/wire-protocol/admin/organization';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import { sendAdminRequest, setCsrfToken } from './send-request.ts';

interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

export interface AdminSession {
  readonly user: User;
  readonly csrfToken: string;
  readonly organizations: readonly AdministeredOrganizationResponse[];
}

interface SessionResponse {
  readonly user: User;
  readonly csrf_token: string;
}

const listOrganizations = async (): Promise<readonly AdministeredOrganizationResponse[]> => {
  const organizations: AdministeredOrganizationResponse[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page = await sendAdminRequest<ListPageResponse<AdministeredOrganizationResponse>>(
      'GET',
      `/organizations${query}`,
    );
    organizations.push(...page.data);
    cursor = page.cursor_next;
  } while (cursor !== undefined);
  return organizations.toSorted((a, b) => a.name.localeCompare(b.name));
};

/** The signed-in user, and the organizations that the user can administer. */
export const loadAdminSession = async (): Promise<AdminSession> => {
  const [{ user, csrf_token }, organizations] = await Promise.all([
    sendAdminRequest<SessionResponse>('GET', '/session'),
    listOrganizations(),
  ]);
  setCsrfToken(csrf_token);
  return { user, csrfToken: csrf_token, organizations };
};
