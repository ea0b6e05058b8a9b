import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import {
  setHardwareProfileRequestSchema,
  type SetHardwareProfileResponse,
  type HardwareProfileFit,
  type HardwareDetectionResponse,
} from '@lintel/wire-protocol/technician/hardware-detection-and-profile';
import { type HardwareExamination, examineHardware } from '@lintel/doctor/examine-host-and-hardware';
import type { DoctorFinding } from '@lintel/doctor/doctor-finding';
import { type ProfileMatch, rankProfiles } from '@lintel/doctor/rank-profiles';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import { resolveHardwareProfileChoice } from '../resolve-hardware-profile-choice.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

/** Time for the response to be sent. */
const RESTART_MS = 200;

const sentences = {
  fixed_by_command: 'The controller was started with --profile, which sets the profile',
  already_claimed: 'The controller is already claimed',
  claim_waiting: 'A claim for the current product is waiting for a connection',
} as const;

const fixedBecause = ({ profiles, owner, claimService }: TechnicianApiDependencies): keyof typeof sentences | null => {
  if (profiles === null || profiles.isFixed) return 'fixed_by_command';
  if (owner() !== null) return 'already_claimed';
  return (claimService?.pendingClaim() ?? null) === null ? null : 'claim_waiting';
};

const toMissingPart = ({ text, fix }: DoctorFinding): HardwareProfileFit['missing'][number] => ({
  text,
  fix: fix ?? null,
});

const toProfileFit = (
  { profile, fits, found, wanted, missing }: ProfileMatch,
  current: string | null,
): HardwareProfileFit => ({
  product_id: profile.product_id,
  name: profile.name,
  fits,
  is_current: profile.product_id === current,
  found,
  wanted,
  missing: missing.map(toMissingPart),
});

/** Hardware findings and the choice of a profile. */
export const createHardwareProfileRoutes = (parts: TechnicianApiDependencies): TechnicianRoute[] => {
  let underWay: Promise<HardwareExamination> | null = null;
  /** Concurrent requests share one examination. */
  const examined = (): Promise<HardwareExamination> => {
    underWay ??= examineHardware(parts.dataDir).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const current = parts.profile?.product_id ?? null;
  return [
    {
      method: 'GET',
      path: '/doctor',
      handle: async (): Promise<HardwareDetectionResponse> => {
        const { findings, checkProfile } = await examined();
        return {
          findings: findings.map(({ area, level, text, fix }) => ({ area, level, text, fix: fix ?? null })),
          profiles: rankProfiles(loadProfiles(), checkProfile).map(fit => toProfileFit(fit, current)),
          current,
          fixed_because: fixedBecause(parts),
        };
      },
    },
    {
      method: 'PUT',
      path: '/profile',
      handle: ({ request, reply }): SetHardwareProfileResponse => {
        const choice = parseTechnicianRequestBody(setHardwareProfileRequestSchema, request.body);
        const reason = fixedBecause(parts);
        if (reason !== null) throw new TechnicianRequestError('conflict', sentences[reason], { reason });
        const chosen = resolveHardwareProfileChoice(choice);
        if (!chosen.ok) {
          const [first] = chosen.problems;
          const field = first?.path ?? 'profile';
          throw new TechnicianRequestError('invalid_request', `${field} ${first?.message ?? 'is not valid'}`, {
            field,
          });
        }
        const { profile } = chosen;
        parts.profiles!.save(profile);
        parts.log('info', 'Another profile was chosen. The controller restarts', {
          product: profile.product_id,
        });
        reply.raw.once('close', () => setTimeout(() => parts.profiles!.restart(), RESTART_MS).unref());
        reply.code(202);
        return { product_id: profile.product_id, is_restarting: true };
      },
    },
  ];
};
