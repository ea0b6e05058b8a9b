import type { ManagedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';

/** The application for tokens of scripts, which cannot be changed. */
export const isBuiltInOAuthApplication = ({ client_id, organization_id }: ManagedOAuthApplicationResponse): boolean =>
  client_id === `cli-${organization_id}`;
