import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useOpenOrganization } from '../api/open-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { describeError } from '../components/describe-error.ts';
import { useNotices } from '../components/notices.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { SecretValue } from '../components/secret-value.tsx';
import { MemberAccessPanel } from '../member/member-access.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links.ts';
import { type CreatedStay, createStay, type StayFormValues } from './create-stay.ts';
import { StayFormFields } from './stay-form.tsx';

const StayResult = ({ created, onAnother }: { readonly created: CreatedStay; readonly onAnother: () => void }) => {
  const messages = useMessages();
  const { stay } = messages;
  const linkTo = useLinkTo();
  const { member, pin, link, sentTo, isSendFailed, error } = created;
  return (
    <section class="card panel stay-result" aria-live="polite">
      <h2>{stay.createdTitle(member.name)}</h2>
      {error === null ? null : (
        <p class="wrong" role="alert">
          {stay.incomplete(describeError(messages, error))}
        </p>
      )}
      {sentTo === null ? null : <p class="good">{stay.sentTo(sentTo)}</p>}
      {isSendFailed ? (
        <p class="wrong" role="alert">
          {stay.notSent}
        </p>
      ) : null}
      {pin === null ? null : <SecretValue label={stay.pinLabel} value={pin} />}
      {link === null ? null : <SecretValue label={stay.linkLabel} value={link} />}
      {(pin === null && link === null) || sentTo !== null ? null : <p class="quiet small">{stay.shownOnce}</p>}
      <div class="bar">
        <a class="button primary" href={linkTo(`/members/${member.id}`)}>
          {stay.openMember}
        </a>
        <Button onPress={onAnother}>{stay.another}</Button>
      </div>
    </section>
  );
};

export const NewStayScreen = () => {
  const { stay } = useMessages();
  const { id, client } = useOpenOrganization();
  const notices = useNotices();
  const [isBusy, setBusy] = useState(false);
  const [created, setCreated] = useState<CreatedStay | null>(null);
  const submit = async (form: StayFormValues): Promise<void> => {
    setBusy(true);
    try {
      setCreated(await createStay(client, form));
      void queryClient.invalidateQueries({ queryKey: [id, 'member'] });
    } catch (error) {
      notices.showError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <PageHeader title={stay.title} subtitle={created === null ? stay.subtitle : undefined} />
      {created === null ? (
        <StayFormFields isBusy={isBusy} onSubmit={form => void submit(form)} />
      ) : (
        <>
          <StayResult created={created} onAnother={() => setCreated(null)} />
          <MemberAccessPanel memberId={created.member.id} />
        </>
      )}
    </>
  );
};
