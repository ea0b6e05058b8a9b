import type { FastifyInstance, FastifyReply } from 'fastify';
import { logAuditEvent } from '../accounts/authentication-audit-log.ts';
import { deriveCsrfToken, findCsrfViolation } from '../accounts/csrf.ts';
import { readRequestParameters } from '../accounts/form-and-query-parameters.ts';
import { sendCsrfError } from '../accounts/login-routes.ts';
import type { SessionCookies } from '../accounts/session-cookies.ts';
import { BridgeCookie } from '../http/bridge-cookie.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { renderAlertAddressPage } from '../pages/alert-address-page.ts';
import { renderMessagePage } from '../pages/message-page.ts';
import { sendPage } from '../pages/send-page-and-serve-page-assets.ts';
import { confirmAlertAddress, findUnconfirmedAlertAddress } from '../resources/alert-addresses.ts';

const PATH = '/alert-address';
const LINK_COOKIE_SECONDS = 3600;

/** `/alert-address`: the owner of an address agrees to receive the alerts of an organization. */
export const serveAlertAddressPages = (
  app: FastifyInstance,
  services: BridgeServices,
  cookies: SessionCookies,
): void => {
  const { storage, clock } = services;
  const link = new BridgeCookie(services, 'lintel_alert_address', PATH);

  const sendInvalid = (reply: FastifyReply): FastifyReply => {
    link.clear(reply);
    const title = 'This link is not valid';
    const message = 'The link has expired or has already been used. Ask the organization to save the alert rule again.';
    return sendPage(reply, renderMessagePage({ title, message }), { status: 404 });
  };

  // A GET has no side effects, because mail scanners and link previews open links too.
  app.get(`${PATH}/:token`, async (request, reply) => {
    link.set(reply, (request.params as { readonly token: string }).token, LINK_COOKIE_SECONDS);
    return reply.redirect(PATH, 303);
  });

  app.get(PATH, async (request, reply) => {
    const found = await findUnconfirmedAlertAddress(storage.writer, link.read(request) ?? '', clock());
    if (found === null) return sendInvalid(reply);
    const csrfToken = deriveCsrfToken(cookies.getOrCreateFormSecret(request, reply));
    const { organizationName: organization, email } = found;
    return sendPage(reply, renderAlertAddressPage({ organization, email, csrfToken }));
  });

  app.post(PATH, async (request, reply) => {
    const { values } = readRequestParameters(request.body, ['form_token']);
    const violation = findCsrfViolation(request, services.publicUrl, cookies.formSecret(request), values['form_token']);
    if (violation !== null) return sendCsrfError(request, reply, violation);
    if (!(await confirmAlertAddress(storage.writer, link.read(request) ?? '', clock()))) return sendInvalid(reply);
    link.clear(reply);
    logAuditEvent(request, 'alert_address_confirmed');
    const title = 'Address confirmed';
    return sendPage(reply, renderMessagePage({ title, message: 'Alerts are sent to this address from now on.' }));
  });
};
