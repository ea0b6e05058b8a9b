import { useMemberCredentialDelivery } from './use-member-credential-delivery.ts';
import { computeMemberStatus } from '../members/member-status.ts';
import { useMessages } from '../messages/language.ts';
import type { ApiValidity } from '../components/validity-fields.tsx';

interface CredentialDeliveryProps {
  readonly member: ApiValidity & { readonly id: string; readonly is_deleted: boolean };
  readonly credential: { readonly id: string; readonly kind: string };
}

/** What doors do with the credential now. The bridge checks emails and magic links itself. */
export const CredentialControllersStatus = ({ member, credential }: CredentialDeliveryProps) => {
  const { member: texts } = useMessages();
  const isEmail = credential.kind === 'member_email';
  const isOnline = isEmail || credential.kind === 'member_magic_link';
  const { data } = useMemberCredentialDelivery(member.id);
  const status = computeMemberStatus(member, Date.now());
  if (status === 'ended' || status === 'deleted') {
    if (isOnline) return <small class="quiet">{isEmail ? texts.signsInNoMore : texts.refusedEverywhere}</small>;
    const open = data?.lockout?.doors.filter(door => door.status === 'still_opens') ?? [];
    if (data === undefined) return null;
    return open.length === 0 ? (
      <small class="quiet">{texts.refusedEverywhere}</small>
    ) : (
      <small class="wrong">{texts.stillAcceptedAt(open.map(({ name }) => name).join(', '))}</small>
    );
  }
  if (isEmail) return <small class="quiet">{texts.signsIn}</small>;
  const isUpcoming = status === 'upcoming';
  if (isOnline)
    return isUpcoming ? (
      <small class="quiet">{texts.worksFromStart}</small>
    ) : (
      <small class="good">{texts.worksOnline}</small>
    );
  const controllers = data?.credentials.find(({ id }) => id === credential.id)?.controllers ?? [];
  if (controllers.length === 0) return null;
  const waiting = controllers.filter(({ status: delivery }) => delivery !== 'served');
  if (waiting.length === 0)
    return isUpcoming ? (
      <small class="quiet">{texts.readyEverywhere}</small>
    ) : (
      <small class="good">{texts.worksEverywhere}</small>
    );
  return (
    <small class="quiet">
      {texts.worksOn(controllers.length - waiting.length, controllers.length)} ·{' '}
      {texts.waitingFor(waiting.map(({ name }) => name).join(', '))}
    </small>
  );
};
