import type { InputRule } from '@lintel/access-core/input-rules';
import { toPinDigits } from '@lintel/access-core/pin-digits';
import {
  credentialTestRequestBodySchema,
  type CredentialTestResponse,
} from '@lintel/wire-protocol/technician/try-input-rules';
import type { CredentialTestResult } from '../../credential-tests/credential-tester.ts';
import type { AccessDecision } from '../../access/access-checker.ts';
import { maskCardUid } from '../../live/live-feed.ts';
import { captureNextTapForTechnician } from '../capture-next-tap.ts';
import { parseTechnicianRequestBody } from '../http/request-bodies-and-errors.ts';
import type { TechnicianRoute } from '../http/technician-route-definition.ts';
import { createInvalidRequestError, TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const noCard: CredentialTestResponse = {
  outcome: 'no_card',
  rule: null,
  granted: null,
  reason: null,
  subject: null,
  would: null,
  card: null,
};

const subjectOf = ({ subject, commissioning }: AccessDecision): CredentialTestResponse['subject'] => ({
  member_id: subject.member_id ?? null,
  user_id: subject.user_id ?? null,
  access_method: subject.access_method ?? '',
  is_commissioning: commissioning !== undefined,
});

const toResponse = (
  { rule, decision }: CredentialTestResult,
  card: string | null,
  isOwn: (gadgetId: string) => boolean,
): CredentialTestResponse => {
  const tried = {
    outcome: 'tried',
    rule: rule === null ? null : { code: rule.code, gadget_id: rule.gadget_id, action_id: rule.action_id },
    card,
  } as const;
  if (decision === null) return { ...tried, granted: false, reason: 'no_input_rule', subject: null, would: null };
  const { granted, target } = decision;
  return {
    ...tried,
    granted,
    reason: decision.granted ? null : decision.reason,
    subject: subjectOf(decision),
    would:
      target === null
        ? null
        : { gadget_id: target.gadget_id, action_id: target.action_id, is_own: isOwn(target.gadget_id) },
  };
};

const lockedOutError = (ms: number): TechnicianRequestError =>
  new TechnicianRequestError(
    'rate_limited',
    'Too many wrong PINs',
    { reason: 'locked_out' },
    { 'retry-after': String(Math.ceil(ms / 1_000)) },
  );

/** Decides as at the door, without opening anything. */
export const createCredentialTestRoutes = ({ controller }: TechnicianApiDependencies): TechnicianRoute[] => {
  const { technician } = controller;
  const { credentialTests, rules, tapCapture } = technician;
  const isOwn = (gadgetId: string): boolean => controller.snapshot.isOwn(gadgetId);
  const draft = (given: readonly unknown[] | undefined): readonly InputRule[] | null => {
    if (given === undefined) return null;
    const checked = rules.check(given);
    if (checked.ok) return checked.value;
    throw createInvalidRequestError(checked.problems);
  };

  return [
    {
      method: 'POST',
      path: '/input_rules/try',
      handle: async ({ request, reply, session }): Promise<CredentialTestResponse> => {
        const { code, credential, input_rules } = parseTechnicianRequestBody(
          credentialTestRequestBodySchema,
          request.body,
        );
        const test = { code, rules: draft(input_rules), by: session.technician };
        if (credential.type === 'pin') {
          const lockedMs = credentialTests.lockedForMs();
          if (lockedMs > 0) throw lockedOutError(lockedMs);
          return toResponse(credentialTests.testPin(test, toPinDigits(credential.pin)!), null, isOwn);
        }
        const tap = await captureNextTapForTechnician(tapCapture, { reply }, 'credential test');
        if (tap === null) return noCard;
        return toResponse(credentialTests.testTap(test, tap), tap.kind === 'card' ? maskCardUid(tap.uid) : null, isOwn);
      },
    },
  ];
};
