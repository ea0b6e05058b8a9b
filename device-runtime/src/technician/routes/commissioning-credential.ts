import { instant } from '@lintel/access-core/instant';
import { isRandomCardUid } from '@lintel/wire-protocol/rest/card-uid';
import { type DateTime, toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  type CreateCommissioningCredentialResponse,
  type CommissioningCredentialStateResponse,
  createCommissioningCredentialRequestSchema,
} from '@lintel/wire-protocol/technician/commissioning-credential';
import { maskCardUid } from '../../live/live-feed.ts';
import type { CapturedTap } from '../../reader-units/tap-capture.ts';
import type { ActingTechnician } from '../../events/acting-technician.ts';
import { captureNextTapForTechnician } from '../capture-next-tap.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const noCard: CreateCommissioningCredentialResponse = {
  outcome: 'no_card',
  kind: null,
  card: null,
  expires_at: null,
  seconds_left: null,
  pin: null,
};

const conflictError = (reason: string, message: string): TechnicianRequestError =>
  new TechnicianRequestError('conflict', message, { reason });

const setupCodeEndedError = (): TechnicianRequestError =>
  new TechnicianRequestError(
    'forbidden',
    'The controller is claimed now. Sign in with a technician pass, or press the setup button',
    { reason: 'setup_code_ended' },
  );

/** A temporary PIN or card with which a technician tests the rules. */
export const createCommissioningCredentialRoutes = ({
  controller,
  owner,
  login,
  wall,
}: TechnicianApiDependencies): TechnicianRoute[] => {
  const { commissioning, tapCapture } = controller.technician;

  const requireGadgets = (): void => {
    if (controller.snapshot.deviceId !== null) return;
    if (owner() === null)
      throw conflictError('not_claimed', 'The controller is not claimed yet, so there are no gadgets');
    throw conflictError('no_slice', 'No access data received from the bridge yet');
  };

  const lasting = (ms: number): { readonly expires_at: DateTime; readonly seconds_left: number } => ({
    expires_at: toDateTime(instant(wall.now() + Math.round(ms))),
    seconds_left: ms / 1_000,
  });

  const state = (): CommissioningCredentialStateResponse => {
    const current = commissioning.current;
    if (current === null)
      return { active: false, kind: null, card: null, expires_at: null, seconds_left: null, by: null, uses: 0 };
    const { kind, maskedCard, left_ms, by, uses } = current;
    const { user_id, pass_id } = by;
    return { active: true, kind, card: maskedCard, ...lasting(left_ms), by: { user_id, pass_id }, uses };
  };

  const made = (pin: string | null): CreateCommissioningCredentialResponse => {
    const { kind, card, expires_at, seconds_left } = state();
    return { outcome: 'made', kind, card, expires_at, seconds_left, pin };
  };

  const makePin = (by: ActingTechnician): CreateCommissioningCredentialResponse => {
    const pin = commissioning.createPin(by);
    if (pin !== null) return made(pin);
    throw conflictError('no_free_pin', 'No unused PIN was found: use a card');
  };

  const makeCard = (tap: CapturedTap, by: ActingTechnician): CreateCommissioningCredentialResponse => {
    if (tap.kind === 'phone') throw conflictError('not_a_card', 'That was a phone: use a card');
    if (tap.kind === 'magic_link') throw conflictError('not_a_card', 'That was a QR code: use a card');
    if (isRandomCardUid(tap.uid))
      throw conflictError('random_uid', 'This card or phone has a random number: use another card');
    if (commissioning.createCard(tap.uid, maskCardUid(tap.uid), by)) return made(null);
    throw conflictError('known_card', 'This card belongs to a member: use another card');
  };

  return [
    { method: 'GET', path: '/commissioning', handle: state },
    {
      method: 'POST',
      path: '/commissioning',
      handle: async ({ request, reply, session }): Promise<CreateCommissioningCredentialResponse> => {
        const { kind } = parseTechnicianRequestBody(createCommissioningCredentialRequestSchema, request.body);
        requireGadgets();
        if (session.by === 'code' && !login.hasSetupRights(session)) throw setupCodeEndedError();
        if (kind === 'pin') return makePin(session.technician);
        const tap = await captureNextTapForTechnician(tapCapture, { reply }, 'commissioning');
        return tap === null ? noCard : makeCard(tap, session.technician);
      },
    },
    {
      method: 'DELETE',
      path: '/commissioning',
      handle: ({ session }): CommissioningCredentialStateResponse => {
        commissioning.end(session.technician);
        return state();
      },
    },
  ];
};
