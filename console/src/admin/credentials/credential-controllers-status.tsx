import { useMemberCredentialDelivery } from './use-member-credential-delivery.ts';
import { useMessages } from '../messages/language.ts';

interface CredentialDeliveryProps {
  readonly memberId: string;
  readonly credential: { readonly id: string; readonly kind: string };
}

/** On which controllers the credential already works. The bridge checks emails and magic links itself. */
export const CredentialControllersStatus = ({ memberId, credential }: CredentialDeliveryProps) => {
  const { member } = useMessages();
  const isEmail = credential.kind === 'member_email';
  const isOnline = isEmail || credential.kind === 'member_magic_link';
  const { data } = useMemberCredentialDelivery(memberId, !isOnline);
  if (isEmail) return <small class="quiet">{member.signsIn}</small>;
  if (isOnline) return <small class="good">{member.worksOnline}</small>;
  const controllers = data?.credentials.find(({ id }) => id === credential.id)?.controllers ?? [];
  if (controllers.length === 0) return null;
  const waiting = controllers.filter(({ status }) => status !== 'served');
  if (waiting.length === 0) return <small class="good">{member.worksEverywhere}</small>;
  return (
    <small class="quiet">
      {member.worksOn(controllers.length - waiting.length, controllers.length)} ·{' '}
      {member.waitingFor(waiting.map(({ name }) => name).join(', '))}
    </small>
  );
};
