import type { ReleaseResponse } from '@lintel/wire-protocol/admin/release';
import type { RolloutResponse } from '@lintel/wire-protocol/admin/rollout';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useSites } from '../api/resource-hooks.ts';
import { describeAdminError } from '../components/describe-admin-error.ts';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { useSubmission } from '../components/use-submission.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { CancelButton } from '../components/dialog-buttons.tsx';

const rolloutStagePlans = ['careful', 'gradual', 'all'] as const;
type RolloutStagePlan = (typeof rolloutStagePlans)[number];

const DAY_SECONDS = 86_400;

/** The stages of the request; the remaining devices come last. */
const buildRolloutStages = (plan: RolloutStagePlan): readonly object[] => {
  const oneFirst = { count: 1, wait_s: DAY_SECONDS };
  if (plan === 'all') return [];
  return plan === 'careful' ? [oneFirst] : [oneFirst, { percent: 20, wait_s: DAY_SECONDS }];
};

const ALL = 'all';

interface StartRolloutProps {
  readonly release: ReleaseResponse;
  readonly title: string;
  readonly onClose: () => void;
}

/** Chooses devices and stages, and starts the roll-out. */
export const StartRolloutDialog = ({ release, title, onClose }: StartRolloutProps) => {
  const messages = useMessages();
  const { updates: texts } = messages;
  const { id, client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const { data: sites = [] } = useSites();
  const [target, setTarget] = useState(ALL);
  const [plan, setPlan] = useState<RolloutStagePlan>('careful');
  const { isBusy, error, submit } = useSubmission();
  const start = (): Promise<void> =>
    submit(async () => {
      const rollout = await client.post<RolloutResponse>('/rollouts', {
        release_id: release.id,
        ...(target === ALL ? { all: true } : { site_id: target }),
        stages: buildRolloutStages(plan),
      });
      await queryClient.invalidateQueries({ queryKey: [id, 'rollout'] });
      route(linkTo(`/updates/${rollout.id}`));
    });
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <p>{texts.startText}</p>
      <Form
        isDisabled={isBusy}
        onSubmit={() => void start()}
        submitLabel={texts.start}
        cancel={<CancelButton onPress={onClose} />}
      >
        <GroupedSelectField
          id="rollout-target"
          label={texts.target}
          value={target}
          options={[{ id: ALL, name: texts.allDevices }, ...sites]}
          onChange={setTarget}
        />
        <GroupedSelectField
          id="rollout-plan"
          label={texts.plan}
          value={plan}
          options={rolloutStagePlans.map(one => ({ id: one, name: texts.plans[one] }))}
          onChange={value => setPlan(value as RolloutStagePlan)}
        />
        {error === null ? null : (
          <p class="wrong" role="alert">
            {describeAdminError(messages, error)}
          </p>
        )}
      </Form>
    </Dialog>
  );
};
