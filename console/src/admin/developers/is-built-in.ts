import type { ApplicationResponse } from '@lintel/wire-protocol/admin/application';

/** The application for tokens of scripts, which cannot be changed. */
export const isBuiltInApplication = ({ client_id, organization_id }: ApplicationResponse): boolean =>
  client_id === `cli-${organization_id}`;
