import { instant } from '@lintel/access-core/instant';
import type { Problem } from '@lintel/access-core/result';
import type { ClaimRequest } from '@lintel/device-link/identity/claiming';
import { gadgetsOf } from '@lintel/hardware-profiles/gadgets-of';
import { productOf } from '@lintel/hardware-profiles/product-fields';
import { readTicket } from '@lintel/device-link/identity/claim-client';
import type { GadgetCreate } from '@lintel/wire-protocol/rest/gadget';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  technicianClaim,
  type TechnicianClaim,
  type TechnicianClaimState,
} from '@lintel/wire-protocol/technician/claim';
import { UNCONFIGURED } from '../../profile/chosen-profile.ts';
import { bodyAs } from '../http/http-errors.ts';
import type { Route } from '../http/route.ts';
import { invalidRequest, TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

/** A ticket that names a device says with it which product it is. */
const namesDevice = (ticket: string | undefined): boolean => {
  if (ticket === undefined) return false;
  const read = readTicket(ticket, Number.NEGATIVE_INFINITY);
  return read.ok && read.value.device_id !== null;
};

/** What hangs on a new device unless the technician says otherwise. */
const usualGadgets = ({ profile }: TechnicianParts): GadgetCreate[] =>
  profile === null ? [] : ([...gadgetsOf(profile)] as GadgetCreate[]);

const requestOf = (claim: TechnicianClaim, parts: TechnicianParts): ClaimRequest => {
  const { productId, profile } = parts;
  const { ticket, code = '', bridge_url = '', ca_fingerprint, name, gadgets, replace: replaces = false } = claim;
  const thing = {
    ...(namesDevice(ticket)
      ? { productId: null }
      : { productId, ...(profile === null ? {} : { product: productOf(profile) }) }),
    revisionId: profile?.revision ?? null,
    name: name ?? profile?.name ?? productId,
    gadgets: gadgets ?? usualGadgets(parts),
  };
  if (ticket !== undefined) return { ticket, thing, replaces };
  return { code, bridgeUrl: bridge_url, caFingerprint: ca_fingerprint ?? null, thing, replaces };
};

const ALREADY_CLAIMED =
  'The controller is already claimed. To claim it again, press its setup button, sign in with the setup code, and set "replace"';

const refusal = (problems: readonly Problem[]): TechnicianError => {
  const [first] = problems;
  if (first?.code !== 'already_claimed') return invalidRequest(problems);
  return new TechnicianError('conflict', first.message, { reason: 'already_claimed' });
};

export const claimRoutes = (parts: TechnicianParts): Route[] => {
  const { claiming, owner } = parts;
  const answer = (): TechnicianClaimState => {
    const own = owner();
    const pending = claiming?.pendingClaim() ?? null;
    const ended = claiming?.endedClaim ?? null;
    const place = own ?? pending;
    const expires_at = pending === null ? null : dateTimeOf(instant(pending.expires_at));
    const next = pending !== null ? 'waiting' : ended !== null ? 'refused' : null;
    const message = pending?.last_problem ?? ended?.message ?? null;
    return {
      state: own !== null ? 'claimed' : (next ?? 'unclaimed'),
      device_id: place?.device_id ?? null,
      organization_id: place?.organization_id ?? null,
      site_id: place?.site_id ?? null,
      bridge_url: place?.bridge_url ?? null,
      message: own === null ? message : null,
      gadgets: usualGadgets(parts),
      expires_at: own === null ? expires_at : null,
      anew:
        own === null || next === null
          ? null
          : { state: next, bridge_url: pending?.bridge_url ?? null, message, expires_at },
    };
  };
  return [
    { method: 'GET', path: '/claim', handle: answer },
    {
      method: 'POST',
      path: '/claim',
      handle: ({ request, reply, session }) => {
        const wanted = bodyAs(technicianClaim, request.body);
        // Whoever has a pass may work here; whose controller it is, only somebody at its button decides.
        const mayReplace = wanted.replace === true && session.technician.pass_id === null;
        if (owner() !== null && !mayReplace)
          throw new TechnicianError('conflict', ALREADY_CLAIMED, { reason: 'already_claimed' });
        if (parts.profile?.product_id === UNCONFIGURED)
          throw new TechnicianError('conflict', 'Choose a profile first: nobody knows yet what hangs on this board', {
            reason: 'no_profile',
          });
        if (claiming === null)
          throw new TechnicianError('conflict', 'This controller cannot be claimed from here', {
            reason: 'unavailable',
          });
        const requested = claiming.requestClaim(requestOf(wanted, parts));
        if (!requested.ok) throw refusal(requested.problems);
        reply.code(202);
        return answer();
      },
    },
  ];
};
