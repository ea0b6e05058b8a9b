import type { IncidentResponse } from '@lintel/wire-protocol/admin/incident';
import { useState } from 'preact/hooks';
import { LabeledValueList } from '../../components/labeled-value-list.tsx';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiObject } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';

const RELOAD_MS = 30_000;

/** Shows the time of the bridge and the time that it expects, and lets a person confirm the former. */
export const ClockConfirmation = ({ incidentId }: { readonly incidentId: string }) => {
  const texts = useMessages().home.bridgeClock;
  const { id, client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const [isAsked, setIsAsked] = useState(false);
  const { formatDateTime } = useSiteTimeFormats();
  const { data } = useApiObject<{ readonly data: readonly IncidentResponse[] }>(
    'attention',
    '/incidents',
    {},
    true,
    RELOAD_MS,
  );
  const clock = data?.data.find(incident => incident.id === incidentId)?.clock ?? null;
  if (clock === null) return null;
  const confirm = async (): Promise<void> => {
    await client.post(`/incidents/${incidentId}/confirm_clock`, { time: clock.time });
    notices.show(texts.confirmed);
    await queryClient.invalidateQueries({ queryKey: [id, 'attention'] });
  };
  const times = (
    <LabeledValueList
      facts={[
        [texts.clock, formatDateTime(clock.time)],
        [texts.expected, formatDateTime(clock.expected_time)],
      ]}
    />
  );
  return (
    <>
      {times}
      {allows('organization.edit') ? (
        <div class="decision-buttons">
          <Button onPress={() => setIsAsked(true)}>{texts.confirm}</Button>
        </div>
      ) : null}
      {isAsked ? (
        <ConfirmDialog
          title={texts.title}
          confirmLabel={texts.confirm}
          isDangerous
          onConfirm={confirm}
          onClose={() => setIsAsked(false)}
        >
          {times}
          <p>{texts.text}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
};
