import type { InputRule } from '@lintel/access-core/input-rules';
import { asPinDigits } from '@lintel/access-core/pin-digits';
import { credentialTry, type CredentialTried } from '@lintel/wire-protocol/technician/trying';
import type { CredentialTest } from '../../credential-tests/credential-tests.ts';
import type { AccessDecision } from '../../access/access-checker.ts';
import { maskedCard } from '../../live/live-feed.ts';
import { awaitedTap } from '../awaited-tap.ts';
import { bodyAs } from '../http/http-errors.ts';
import type { Route } from '../http/route.ts';
import { invalidRequest, TechnicianError } from '../errors/technician-error.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const noCard: CredentialTried = {
  outcome: 'no_card',
  rule: null,
  granted: null,
  reason: null,
  subject: null,
  would: null,
  card: null,
};

const subjectOf = ({ subject, commissioning }: AccessDecision): CredentialTried['subject'] => ({
  member_id: subject.member_id ?? null,
  user_id: subject.user_id ?? null,
  access_method: subject.access_method ?? '',
  is_commissioning: commissioning !== undefined,
});

const answerOf = (
  { rule, decision }: CredentialTest,
  card: string | null,
  isOwn: (gadgetId: string) => boolean,
): CredentialTried => {
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

const locked = (ms: number): TechnicianError =>
  new TechnicianError(
    'rate_limited',
    'Too many wrong PINs have been tried',
    { reason: 'locked_out' },
    { 'retry-after': String(Math.ceil(ms / 1_000)) },
  );

/** Judged as at the door, with nothing coming of it. */
export const credentialTestRoutes = ({ controller }: TechnicianParts): Route[] => {
  const { technician } = controller;
  const { credentialTests, rules, nextTap } = technician;
  const isOwn = (gadgetId: string): boolean => controller.snapshot.isOwn(gadgetId);
  const draft = (given: readonly unknown[] | undefined): readonly InputRule[] | null => {
    if (given === undefined) return null;
    const checked = rules.check(given);
    if (checked.ok) return checked.value;
    throw invalidRequest(checked.problems);
  };

  return [
    {
      method: 'POST',
      path: '/input_rules/try',
      handle: async ({ request, reply, session }): Promise<CredentialTried> => {
        const { code, credential, input_rules } = bodyAs(credentialTry, request.body);
        const asked = { code, rules: draft(input_rules), by: session.technician };
        if (credential.type === 'pin') {
          const lockedMs = credentialTests.lockedForMs();
          if (lockedMs > 0) throw locked(lockedMs);
          return answerOf(credentialTests.pin(asked, asPinDigits(credential.pin)!), null, isOwn);
        }
        const tap = await awaitedTap(nextTap, { reply }, 'a try');
        if (tap === null) return noCard;
        return answerOf(credentialTests.tap(asked, tap), tap.kind === 'card' ? maskedCard(tap.uid) : null, isOwn);
      },
    },
  ];
};
