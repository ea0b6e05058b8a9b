import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useGadgets, useInstallation, useSites } from '../api/resource-hooks.ts';
import { LoadingIndicator } from '../components/loading-indicator.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMemberGroups } from '../groups/member-group-hooks.ts';
import { MemberAccessPanel } from '../member/member-access.tsx';
import { useMessages } from '../messages/language.ts';
import { type CreatedStay, createStay, type StayFormValues } from './create-stay.ts';
import { StayForm } from './stay-form.tsx';
import { StayResult } from './stay-result.tsx';

/** The form would move under the pointer if it were shown before the lists that it contains. */
const useIsFormLoading = (): boolean => {
  const queries = [useMemberGroups(), useGadgets(), useSites(), useInstallation()];
  return queries.some(({ isLoading }) => isLoading);
};

export const NewStayScreen = () => {
  const { stay } = useMessages();
  const { id, client } = useCurrentOrganization();
  const { isBusy, run } = useNotifiedAction();
  const [created, setCreated] = useState<CreatedStay | null>(null);
  const isLoading = useIsFormLoading();
  const submit = (form: StayFormValues): Promise<void> =>
    run(async () => {
      setCreated(await createStay(client, form));
      for (const kind of ['member', 'member_group']) void queryClient.invalidateQueries({ queryKey: [id, kind] });
    });
  return (
    <>
      <PageHeader title={stay.title} subtitle={created === null ? stay.subtitle : undefined} />
      {created === null ? (
        isLoading ? (
          <LoadingIndicator />
        ) : (
          <StayForm isBusy={isBusy} onSubmit={form => void submit(form)} />
        )
      ) : (
        <>
          <StayResult created={created} onAnother={() => setCreated(null)} />
          <MemberAccessPanel member={created.member} />
        </>
      )}
    </>
  );
};
