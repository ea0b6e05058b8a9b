import type { FastifyReply, FastifyRequest } from 'fastify';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import type { RequestParameters } from '../accounts/form-and-query-parameters.ts';
import { deriveCsrfToken } from '../accounts/csrf.ts';
import { canGrantScopes } from '../accounts/can-role-grant-scopes.ts';
import type { UserSession } from '../accounts/user-sessions.ts';
import type { UserOrganization } from '../accounts/users.ts';
import type { AccountSwitcherProps } from '../pages/account-switcher.ts';
import { renderConsentPage } from '../pages/consent-page.ts';
import { renderCannotAuthorizePage } from '../pages/cannot-authorize-page.ts';
import { renderOrganizationChoicePage } from '../pages/organization-choice-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import type { OAuthAuthorizationRequest } from './grant-or-deny-authorization.ts';

interface ConsentContext {
  readonly authorizationRequest: OAuthAuthorizationRequest;
  readonly parameters: RequestParameters;
  readonly session: UserSession;
  readonly organizations: readonly UserOrganization[];
  readonly selectedId: string | undefined;
}

const AUTHORIZATION_PATH = '/oauth2/auth';

/** The recognizable part of a URI: the host, or the scheme of an application on the user's device. */
const destinationOf = (uri: string): string => {
  const { host, protocol } = new URL(uri);
  return host === '' ? protocol.slice(0, -1) : host;
};

const missingRoleText = (scopes: readonly string[]): string =>
  scopes.includes('full_read_write') ? 'Only an owner or administrator can allow this' : 'Your role cannot allow this';

/** Sends the consent page, the choice of an organization, or a page that says that the user cannot allow the request. */
export const sendOAuthConsentPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  context: ConsentContext,
): FastifyReply => {
  const { authorizationRequest, parameters, session, organizations, selectedId } = context;
  const requestUrl = `${AUTHORIZATION_PATH}?${new URLSearchParams(parameters.values).toString()}`;
  const token = deriveCsrfToken(session.token);
  const account: AccountSwitcherProps = { email: session.user.email, csrfToken: token, returnTo: requestUrl };
  const application = authorizationRequest.application.name;
  const destination = destinationOf(authorizationRequest.redirectUri);
  const options = { redirectTarget: authorizationRequest.redirectUri };
  const eligible = organizations.filter(({ role }) => canGrantScopes(role, authorizationRequest.scopes));

  if (eligible.length === 0) {
    const reason =
      organizations.length === 0
        ? 'You do not belong to any organization.'
        : `${missingRoleText(authorizationRequest.scopes)}.`;
    logAuditEvent(request, 'organization_refused', {
      user_id: session.user.id,
      application_id: authorizationRequest.application.id,
    });
    const page = renderCannotAuthorizePage({
      application,
      reason,
      destination,
      action: requestUrl,
      csrfToken: token,
      account,
    });
    return sendPage(reply, page, { ...options, status: 403 });
  }

  const selected =
    selectedId === undefined && organizations.length === 1
      ? eligible[0]
      : eligible.find(({ organizationId }) => organizationId === selectedId);
  if (selected !== undefined) {
    const page = renderConsentPage({
      application,
      organization: { id: selected.organizationId, name: selected.name },
      scopes: authorizationRequest.scopes,
      destination,
      action: requestUrl,
      csrfToken: token,
      organizationChoiceUrl: eligible.length > 1 ? requestUrl : null,
      account,
    });
    return sendPage(reply, page, options);
  }

  if (selectedId !== undefined) {
    logAuditEvent(request, 'organization_refused', {
      user_id: session.user.id,
      application_id: authorizationRequest.application.id,
    });
  }
  const page = renderOrganizationChoicePage({
    application,
    choices: organizations.map(organization => ({
      id: organization.organizationId,
      name: organization.name,
      role: organization.role,
      disabledReason: eligible.includes(organization) ? null : missingRoleText(authorizationRequest.scopes),
    })),
    parameters: parameters.values,
    problem: selectedId === undefined ? undefined : 'You cannot connect this application to that organization.',
    account,
  });
  return sendPage(reply, page, { status: selectedId === undefined ? 200 : 403 });
};
