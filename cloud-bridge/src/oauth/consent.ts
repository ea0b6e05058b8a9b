import type { FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '../accounts/audit.ts';
import type { Parameters } from '../accounts/form-fields.ts';
import { formToken } from '../accounts/form-token.ts';
import { mayAuthorize } from '../accounts/roles.ts';
import type { Session } from '../accounts/sessions.ts';
import type { Membership } from '../accounts/users.ts';
import type { AccountLine } from '../pages/account-line.ts';
import { consentPage } from '../pages/consent-page.ts';
import { noOrganizationPage } from '../pages/no-organization-page.ts';
import { organizationPage } from '../pages/organization-page.ts';
import { sendPage } from '../pages/send-page.ts';
import type { AuthorizationRequest } from './authorization.ts';

interface Situation {
  readonly asked: AuthorizationRequest;
  readonly parameters: Parameters;
  readonly session: Session;
  readonly memberships: readonly Membership[];
  readonly chosenId: string | undefined;
}

const AUTH = '/oauth2/auth';

/** What a person recognises of an address: the host, or the scheme of an application on their own device. */
const destinationOf = (uri: string): string => {
  const { host, protocol } = new URL(uri);
  return host === '' ? protocol.slice(0, -1) : host;
};

const obstacle = (scopes: readonly string[]): string =>
  scopes.includes('full_read_write') ? 'Only an owner or administrator can allow this' : 'Your role cannot allow this';

/** The page for this person now: the choice of an organization, the question itself, or that they may not answer it. */
export const showConsent = (request: FastifyRequest, reply: FastifyReply, situation: Situation): FastifyReply => {
  const { asked, parameters, session, memberships, chosenId } = situation;
  const address = `${AUTH}?${new URLSearchParams(parameters.values).toString()}`;
  const token = formToken(session.token);
  const account: AccountLine = { email: session.user.email, formToken: token, returnTo: address };
  const application = asked.application.name;
  const destination = destinationOf(asked.redirectUri);
  const options = { leadsTo: asked.redirectUri };
  const possible = memberships.filter(({ role }) => mayAuthorize(role, asked.scopes));

  if (possible.length === 0) {
    const why = memberships.length === 0 ? 'You do not belong to any organization here.' : `${obstacle(asked.scopes)}.`;
    audit(request, 'organization_refused', { user_id: session.user.id, application_id: asked.application.id });
    const page = noOrganizationPage({ application, why, destination, action: address, formToken: token, account });
    return sendPage(reply, page, { ...options, status: 403 });
  }

  const chosen =
    chosenId === undefined && memberships.length === 1
      ? possible[0]
      : possible.find(({ organizationId }) => organizationId === chosenId);
  if (chosen !== undefined) {
    const page = consentPage({
      application,
      organization: { id: chosen.organizationId, name: chosen.name },
      scopes: asked.scopes,
      destination,
      action: address,
      formToken: token,
      otherOrganizations: possible.length > 1 ? address : null,
      account,
    });
    return sendPage(reply, page, options);
  }

  if (chosenId !== undefined) {
    audit(request, 'organization_refused', { user_id: session.user.id, application_id: asked.application.id });
  }
  const page = organizationPage({
    application,
    choices: memberships.map(one => ({
      id: one.organizationId,
      name: one.name,
      role: one.role,
      obstacle: possible.includes(one) ? null : obstacle(asked.scopes),
    })),
    parameters: parameters.values,
    problem: chosenId === undefined ? undefined : 'That organization cannot be chosen.',
    account,
  });
  return sendPage(reply, page, { status: chosenId === undefined ? 200 : 403 });
};
