import { instant } from '@lintel/access-core/instant';
import { isRandomUid } from '@lintel/wire-protocol/rest/card';
import { type DateTime, dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  type CommissioningMade,
  type CommissioningState,
  commissioningWish,
} from '@lintel/wire-protocol/technician/commissioning';
import { maskedCard } from '../../live/live-feed.ts';
import type { CaughtTap } from '../../reader-units/next-tap.ts';
import type { Technician } from '../../events/technician-record.ts';
import { awaitedTap } from '../awaited-tap.ts';
import { bodyAs } from '../http/http-errors.ts';
import type { Route } from '../http/route.ts';
import { TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const noCard: CommissioningMade = {
  outcome: 'no_card',
  kind: null,
  card: null,
  expires_at: null,
  seconds_left: null,
  pin: null,
};

const inTheWay = (reason: string, message: string): TechnicianError =>
  new TechnicianError('conflict', message, { reason });

/** A PIN or card of the technician's own, by which the rules are proven without anybody's secret. */
export const commissioningRoutes = ({ controller, owner, wall }: TechnicianParts): Route[] => {
  const { commissioning, nextTap } = controller.technician;

  const requireGadgets = (): void => {
    if (controller.snapshot.deviceId !== null) return;
    if (owner() === null) throw inTheWay('not_claimed', 'The controller is not claimed yet: there is nothing to open');
    throw inTheWay('no_slice', 'The bridge has not said yet what this controller opens');
  };

  const lasting = (ms: number): { readonly expires_at: DateTime; readonly seconds_left: number } => ({
    expires_at: dateTimeOf(instant(wall.now() + Math.round(ms))),
    seconds_left: ms / 1_000,
  });

  const state = (): CommissioningState => {
    const current = commissioning.current;
    if (current === null)
      return { active: false, kind: null, card: null, expires_at: null, seconds_left: null, by: null, uses: 0 };
    const { kind, shown, left_ms, by, uses } = current;
    const { user_id, pass_id } = by;
    return { active: true, kind, card: shown, ...lasting(left_ms), by: { user_id, pass_id }, uses };
  };

  const made = (pin: string | null): CommissioningMade => {
    const { kind, card, expires_at, seconds_left } = state();
    return { outcome: 'made', kind, card, expires_at, seconds_left, pin };
  };

  const makePin = (by: Technician): CommissioningMade => {
    const pin = commissioning.makePin(by);
    if (pin !== null) return made(pin);
    throw inTheWay('no_free_pin', 'Six digits that are nobody’s PIN were not found: take a card');
  };

  const makeCard = (tap: CaughtTap, by: Technician): CommissioningMade => {
    if (tap.kind === 'phone') throw inTheWay('not_a_card', 'That was a phone: take a card');
    if (isRandomUid(tap.uid))
      throw inTheWay('random_uid', 'This card or phone shows another number at each tap: take another card');
    if (commissioning.makeCard(tap.uid, maskedCard(tap.uid), by)) return made(null);
    throw inTheWay('known_card', 'This card is a member’s: take one that is nobody’s');
  };

  return [
    { method: 'GET', path: '/commissioning', handle: state },
    {
      method: 'POST',
      path: '/commissioning',
      handle: async ({ request, reply, session }): Promise<CommissioningMade> => {
        const { kind } = bodyAs(commissioningWish, request.body);
        requireGadgets();
        if (kind === 'pin') return makePin(session.technician);
        const tap = await awaitedTap(nextTap, { reply }, 'commissioning');
        return tap === null ? noCard : makeCard(tap, session.technician);
      },
    },
    {
      method: 'DELETE',
      path: '/commissioning',
      handle: ({ session }): CommissioningState => {
        commissioning.end(session.technician);
        return state();
      },
    },
  ];
};
