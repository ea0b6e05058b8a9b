import { sealForKey } from '@lintel/crypto/sealed-box';
import { isRandomCardUid } from '@lintel/wire-protocol/rest/card-uid';
import {
  CARD_ENROLLMENT_TIMEOUT_MS,
  technicianCardEnrollmentRequestSchema,
  type TechnicianCardEnrollmentResponse,
} from '@lintel/wire-protocol/technician/read-next-card-for-bridge';
import { captureNextTapForTechnician } from '../capture-next-tap.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { ActingTechnician } from '../../events/acting-technician.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const PURPOSE = 'card enrollment';

/** Identifies who waits for a card. */
const ownerKeyOf = ({ user_id, oauth_application_id = null }: ActingTechnician): string =>
  JSON.stringify([user_id, oauth_application_id]);

/** Reads a new card for the bridge. The tap opens nothing, and only the bridge can read the UID. */
const createReadRoute = ({ controller: { technician }, owner }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'POST',
  path: '/enroll_card',
  handle: async ({ request, reply, session }): Promise<TechnicianCardEnrollmentResponse> => {
    const { public_key, station } = parseTechnicianRequestBody(technicianCardEnrollmentRequestSchema, request.body);
    const readers = technician.stations().flatMap(({ id, reader }) => (reader ? [id] : []));
    if (readers.length === 0) throw new TechnicianRequestError('not_found', 'The controller has no card reader');
    if (station != null && !readers.includes(station))
      throw new TechnicianRequestError('not_found', `Unknown reader: ${station}`, { readers: readers.join(', ') });
    const options = {
      ms: CARD_ENROLLMENT_TIMEOUT_MS,
      owner: ownerKeyOf(session.technician),
      ...(station == null ? {} : { station }),
    };
    const tap = await captureNextTapForTechnician(technician.tapCapture, { reply }, PURPOSE, options);
    if (tap === null) return { outcome: 'no_card', station: null, sealed_uid: null };
    if (tap.kind !== 'card') return { outcome: tap.kind, station: tap.station, sealed_uid: null };
    if (isRandomCardUid(tap.uid)) return { outcome: 'random_uid', station: tap.station, sealed_uid: null };
    const sealed_uid = sealForKey(public_key, tap.uid, owner()?.device_id ?? '');
    return { outcome: 'card', station: tap.station, sealed_uid };
  },
});

/**
 * Ends the wait, whose request then returns `no_card`. The bridge adds `any_owner` for a user who may end the wait of
 * another user.
 */
const createCancelRoute = ({ controller: { technician } }: TechnicianApiDependencies): TechnicianRoute => ({
  method: 'DELETE',
  path: '/enroll_card',
  handle: ({ request, session }) => {
    const { any_owner } = request.query as { readonly any_owner?: string };
    const owner = any_owner === 'true' ? undefined : ownerKeyOf(session.technician);
    if (!technician.tapCapture.cancel(PURPOSE, owner))
      throw new TechnicianRequestError('forbidden', 'Another user waits for a card');
    return {};
  },
});

export const createReadNextCardRoutes = (context: TechnicianApiDependencies): TechnicianRoute[] => [
  createReadRoute(context),
  createCancelRoute(context),
];
