import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { previewGadgetAssignments } from '../../hardware/preview-gadget-assignments.ts';
import {
  checkHardwareProfileRequestSchema,
  type CheckHardwareProfileRequest,
  type HardwareProfileCheckResponse,
  setHardwareProfileRequestSchema,
  type SetHardwareProfileResponse,
  type HardwareProfileFit,
  type HardwareDetectionResponse,
} from '@lintel/wire-protocol/technician/hardware-detection-and-profile';
import {
  type HardwareExamination,
  examineHardware,
  type DoctorFinding,
  type ProfileMatch,
  rankProfiles,
} from '@lintel/drivers/doctor';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import { resolveHardwareProfileChoice } from '../resolve-hardware-profile-choice.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

/** Time for the response to be sent. */
const RESTART_MS = 200;

const sentences = {
  fixed_by_command: 'The controller was started with --profile, which sets the profile',
  claim_waiting: 'A claim for the current product is waiting for a connection',
} as const;

const fixedBecause = ({ profiles, claimService }: TechnicianApiDependencies): keyof typeof sentences | null => {
  if (profiles === null || profiles.isFixed) return 'fixed_by_command';
  return (claimService?.pendingClaim() ?? null) === null ? null : 'claim_waiting';
};

const toMissingPart = ({ text, fix }: DoctorFinding): HardwareProfileFit['missing'][number] => ({
  text,
  fix: fix ?? null,
});

const toProfileFit = (
  { profile, fits, found, wanted, missing }: ProfileMatch<Profile>,
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

const chosenProfile = (choice: CheckHardwareProfileRequest): Profile => {
  const chosen = resolveHardwareProfileChoice(choice);
  if (chosen.ok) return chosen.profile;
  const [first] = chosen.problems;
  const field = first?.path ?? 'profile';
  throw new TechnicianRequestError('invalid_request', `${field} ${first?.message ?? 'is not valid'}`, { field });
};

/** What loses its hardware with this profile. Nothing is deleted. */
const checkConsequences = (
  { controller, profile: current }: TechnicianApiDependencies,
  next: Profile,
): HardwareProfileCheckResponse => {
  const { technician, state } = controller;
  const { gadgets } = technician;
  const before = current === null ? null : previewGadgetAssignments(current, gadgets, state);
  const after = previewGadgetAssignments(next, gadgets, state);
  const isLost = (id: string): boolean => after.get(id) === null;
  return {
    product_id: next.product_id,
    name: next.name,
    gadgets: gadgets.map(({ id, name }) => ({
      gadget_id: id,
      name,
      now: before?.get(id) ?? null,
      next: after.get(id) ?? null,
    })),
    rules: technician.rules.current
      .filter(({ gadget_id }) => isLost(gadget_id))
      .map(({ code, gadget_id }) => ({ code, gadget_id })),
    lost_stations: technician.stations().flatMap(({ id }) => (Object.hasOwn(next.stations, id) ? [] : id)),
  };
};

type RouteSession = Parameters<TechnicianRoute['handle']>[0]['session'];

/** After the claim: a technician with a pass, or with the setup code after the setup button was pressed. */
const requireProfileRights = ({ owner, login }: TechnicianApiDependencies, session: RouteSession): void => {
  if (owner() === null || session.by === 'pass' || login.hasSetupRights(session)) return;
  throw new TechnicianRequestError('forbidden', 'Press the setup button, or sign in with a technician pass', {
    reason: 'setup_code_ended',
  });
};

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
      method: 'POST',
      path: '/profile/check',
      handle: ({ request }): HardwareProfileCheckResponse =>
        checkConsequences(
          parts,
          chosenProfile(parseTechnicianRequestBody(checkHardwareProfileRequestSchema, request.body)),
        ),
    },
    {
      method: 'PUT',
      path: '/profile',
      handle: ({ request, reply, session }): SetHardwareProfileResponse => {
        const { confirm, ...choice } = parseTechnicianRequestBody(setHardwareProfileRequestSchema, request.body);
        const reason = fixedBecause(parts);
        if (reason !== null) throw new TechnicianRequestError('conflict', sentences[reason], { reason });
        requireProfileRights(parts, session);
        const profile = chosenProfile(choice);
        if (parts.owner() !== null && confirm !== true)
          throw new TechnicianRequestError('conflict', 'Check what changes first, then send "confirm": true', {
            reason: 'needs_confirmation',
          });
        const before = parts.profile?.product_id ?? 'none';
        parts.controller.technician.recordProfileChange(`${before} to ${profile.product_id}`, session.technician);
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
