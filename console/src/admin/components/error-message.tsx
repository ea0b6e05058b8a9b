import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { ApiRequestError } from '../api/send-request.ts';
import { useApiObject } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { describeAdminError } from './describe-admin-error.ts';

const CardHolder = ({ memberId }: { readonly memberId: string }) => {
  const { general, members } = useMessages();
  const linkTo = useLinkTo();
  const { data } = useApiObject<MemberResponse>('member', `/members/${memberId}`);
  if (data === undefined) return <>{general.cardOfAnotherMember}</>;
  return (
    <>
      {general.cardBelongsTo} <a href={linkTo(`/members/${memberId}`)}>{data.name || members.unnamed}</a>
    </>
  );
};

/** Why a request failed. Names the member who has the card instead of an identifier. */
export const ErrorMessage = ({ error }: { readonly error: Error }) => {
  const messages = useMessages();
  const memberId = error instanceof ApiRequestError ? error.args['member_id'] : undefined;
  return memberId === undefined ? <>{describeAdminError(messages, error)}</> : <CardHolder memberId={memberId} />;
};
