import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import {
  profileChoice,
  type ProfileChosen,
  type ProfileFit,
  type TechnicianDoctor,
} from '@lintel/wire-protocol/technician/doctor';
import { type Examination, examine } from '../../doctor/examine.ts';
import type { Finding } from '../../doctor/finding.ts';
import { type Fit, profilesThatFit } from '../../doctor/profiles-that-fit.ts';
import { bodyAs } from '../http/http-errors.ts';
import { chosenProfile } from '../profile-choice.ts';
import type { Route } from '../http/route.ts';
import { TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

/** After the answer has gone out. */
const RESTART_MS = 200;

const sentences = {
  fixed_by_command: 'The controller was started with --profile: that one is used',
  already_claimed: 'The controller is claimed: a profile is chosen before that',
  claim_waiting: 'A claim for the product that runs now waits for a line',
} as const;

const fixedBecause = ({ profiles, owner, claiming }: TechnicianParts): keyof typeof sentences | null => {
  if (profiles === null || profiles.isFixed) return 'fixed_by_command';
  if (owner() !== null) return 'already_claimed';
  return (claiming?.pendingClaim() ?? null) === null ? null : 'claim_waiting';
};

const told = ({ text, fix }: Finding): ProfileFit['missing'][number] => ({ text, fix: fix ?? null });

const fitAnswer = ({ profile, fits, found, wanted, missing }: Fit, current: string | null): ProfileFit => ({
  product_id: profile.product_id,
  name: profile.name,
  fits,
  is_current: profile.product_id === current,
  found,
  wanted,
  missing: missing.map(told),
});

/** What hangs on the machine, and which product it shall be. */
export const profileRoutes = (parts: TechnicianParts): Route[] => {
  let underWay: Promise<Examination> | null = null;
  /** However many ask, the machine is looked at once at a time. */
  const examined = (): Promise<Examination> => {
    underWay ??= examine(parts.dataDir).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const current = parts.profile?.product_id ?? null;
  return [
    {
      method: 'GET',
      path: '/doctor',
      handle: async (): Promise<TechnicianDoctor> => {
        const { findings, judge } = await examined();
        return {
          findings: findings.map(({ area, level, text, fix }) => ({ area, level, text, fix: fix ?? null })),
          profiles: profilesThatFit(loadProfiles(), judge).map(fit => fitAnswer(fit, current)),
          current,
          fixed_because: fixedBecause(parts),
        };
      },
    },
    {
      method: 'PUT',
      path: '/profile',
      handle: ({ request, reply }): ProfileChosen => {
        const choice = bodyAs(profileChoice, request.body);
        const reason = fixedBecause(parts);
        if (reason !== null) throw new TechnicianError('conflict', sentences[reason], { reason });
        const chosen = chosenProfile(choice);
        if (!chosen.ok) {
          const [first] = chosen.problems;
          const field = first?.path ?? 'profile';
          throw new TechnicianError('invalid_request', `${field} ${first?.message ?? 'is not valid'}`, { field });
        }
        const { profile } = chosen;
        parts.profiles!.keep(profile);
        parts.log('info', 'another profile was chosen: the controller restarts with it', {
          product: profile.product_id,
        });
        reply.raw.once('close', () => setTimeout(() => parts.profiles!.restart(), RESTART_MS).unref());
        reply.code(202);
        return { product_id: profile.product_id, is_restarting: true };
      },
    },
  ];
};
