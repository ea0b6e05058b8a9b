import { createHash, X509Certificate } from 'node:crypto';
import { instant } from '@lintel/access-core/instant';
import type { Problem } from '@lintel/access-core/result';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import type { DeviceClaimRequest } from '@lintel/device-link/identity/claim-service';
import { toApiGadgets } from '@lintel/hardware-profiles/api-gadgets';
import { pickNameAndCapabilities } from '@lintel/hardware-profiles/product-fields';
import { readVerifiedClaimTicket } from '@lintel/wire-protocol/claiming/claim-ticket';
import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  technicianClaimRequestSchema,
  type TechnicianClaimRequest,
  type TechnicianClaimStateResponse,
} from '@lintel/wire-protocol/technician/claim';
import { UNCONFIGURED_PRODUCT_ID } from '../../profile/selected-profile.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { createInvalidRequestError, TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

/** The device of a ticket determines the product. */
const namesDevice = (ticket: string | undefined): boolean => {
  if (ticket === undefined) return false;
  const read = readVerifiedClaimTicket(ticket, verifyEd25519, Number.NEGATIVE_INFINITY);
  return read.ok && read.value.device_id !== null;
};

/** Default gadgets of a new device. */
const defaultGadgets = ({ profile }: TechnicianApiDependencies): CreateGadgetRequest[] =>
  profile === null ? [] : ([...toApiGadgets(profile)] as CreateGadgetRequest[]);

const requestOf = (claim: TechnicianClaimRequest, parts: TechnicianApiDependencies): DeviceClaimRequest => {
  const { productId, profile } = parts;
  const { ticket, code = '', bridge_url = '', ca_fingerprint, name, gadgets, replace: replaces = false } = claim;
  const description = {
    ...(namesDevice(ticket)
      ? { productId: null }
      : { productId, ...(profile === null ? {} : { product: pickNameAndCapabilities(profile) }) }),
    revisionId: profile?.revision ?? null,
    name: name ?? profile?.name ?? productId,
    gadgets: gadgets ?? defaultGadgets(parts),
  };
  if (ticket !== undefined) return { ticket, description, replaces };
  return { code, bridgeUrl: bridge_url, caFingerprint: ca_fingerprint ?? null, description, replaces };
};

const ALREADY_CLAIMED =
  'The controller is already claimed. To claim it again, press its setup button, sign in with the setup code, and set "replace"';

const toClaimRouteError = (problems: readonly Problem[]): TechnicianRequestError => {
  const [first] = problems;
  if (first?.code !== 'already_claimed') return createInvalidRequestError(problems);
  return new TechnicianRequestError('conflict', first.message, { reason: 'already_claimed' });
};

/** The console shows the same to the administrator who confirms the controller. */
const computeKeyFingerprint = (certificate: string): string => {
  const { x = '' } = new X509Certificate(certificate).publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex');
};

export const createClaimRoutes = (parts: TechnicianApiDependencies): TechnicianRoute[] => {
  const { claimService, controller, owner, login, sessions } = parts;
  const answer = (): TechnicianClaimStateResponse => {
    const enrollment = owner();
    const pending = claimService?.pendingClaim() ?? null;
    const ended = claimService?.failedClaim ?? null;
    const place = enrollment ?? pending;
    const expires_at = pending === null ? null : toDateTime(instant(pending.expires_at));
    const next = pending !== null ? 'waiting' : ended !== null ? 'refused' : null;
    const message = pending?.last_problem ?? ended?.message ?? null;
    return {
      state: enrollment !== null ? 'claimed' : (next ?? 'unclaimed'),
      device_id: place?.device_id ?? null,
      organization_id: place?.organization_id ?? null,
      site_id: place?.site_id ?? null,
      bridge_url: place?.bridge_url ?? null,
      message: enrollment === null ? message : null,
      gadgets: defaultGadgets(parts),
      expires_at: enrollment === null ? expires_at : null,
      new_claim:
        enrollment === null || next === null
          ? null
          : { state: next, bridge_url: pending?.bridge_url ?? null, message, expires_at },
      confirmation:
        enrollment !== null && controller.snapshot.waitsForConfirmation
          ? { fingerprint: computeKeyFingerprint(enrollment.certificate) }
          : null,
    };
  };
  return [
    { method: 'GET', path: '/claim', handle: answer },
    {
      method: 'POST',
      path: '/claim',
      handle: ({ request, reply, session, token }) => {
        const claim = parseTechnicianRequestBody(technicianClaimRequestSchema, request.body);
        // A pass must not change the owner, nor a session from before the claim; that requires the setup button.
        const mayReplace = claim.replace === true && login.hasSetupRights(session);
        if (owner() !== null && !mayReplace)
          throw new TechnicianRequestError('conflict', ALREADY_CLAIMED, { reason: 'already_claimed' });
        if (parts.profile?.product_id === UNCONFIGURED_PRODUCT_ID)
          throw new TechnicianRequestError('conflict', 'Choose a profile first', {
            reason: 'no_profile',
          });
        if (claimService === null)
          throw new TechnicianRequestError('conflict', 'This controller cannot be claimed from here', {
            reason: 'unavailable',
          });
        const requested = claimService.requestClaim(requestOf(claim, parts));
        if (!requested.ok) throw toClaimRouteError(requested.problems);
        sessions.markClaimant(token);
        reply.code(202);
        return answer();
      },
    },
  ];
};
