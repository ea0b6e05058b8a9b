import type { RolloutResponse } from '@lintel/wire-protocol/admin/rollout';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { buildOrganizationQueryKey } from '../api/resource-hooks.ts';
import { useQuery } from '../api/use-query.ts';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { ReleaseList } from './release-list.tsx';
import { selectRolloutStatusLevel, countRolloutProgress } from './rollout-progress.ts';
import { ReleaseUploadButton } from './upload-button.tsx';

/** Devices report their progress without an event. */
const RELOAD_MS = 5_000;

const RolloutItem = ({ rollout }: { readonly rollout: RolloutResponse }) => {
  const { updates: texts } = useMessages();
  const time = useSiteTimeFormats();
  const linkTo = useLinkTo();
  const { total, confirmed, failed } = countRolloutProgress(rollout);
  const name = texts.releaseName(texts.programs[rollout.program] ?? rollout.program, rollout.version);
  return (
    <li>
      <span>
        <a href={linkTo(`/updates/${rollout.id}`)}>{name}</a>
        <small class="quiet">
          {texts.progress(confirmed, total, failed)} · {time.formatShort(rollout.created_at)}
        </small>
        <progress max={Math.max(1, total)} value={confirmed} aria-label={`${texts.progressLabel}: ${name}`} />
      </span>
      <StatusBadge
        level={selectRolloutStatusLevel(rollout.state)}
        text={texts.states[rollout.state] ?? rollout.state}
      />
    </li>
  );
};

/** Releases, and the roll-outs of them. */
export const UpdatesScreen = () => {
  const { updates: texts, doors } = useMessages();
  const linkTo = useLinkTo();
  const { id, client, allows } = useCurrentOrganization();
  const rollouts = useQuery<readonly RolloutResponse[]>({
    queryKey: buildOrganizationQueryKey(id, 'rollout', '/rollouts'),
    queryFn: () => client.listAll<RolloutResponse>('/rollouts'),
    refetchInterval: RELOAD_MS,
  });
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle}>
        {allows('claim_tickets.write') ? (
          <a class="button" href={linkTo('/devices/new')}>
            {doors.addController}
          </a>
        ) : null}
        {allows('updates.write') ? <ReleaseUploadButton /> : null}
      </PageHeader>
      <section class="card panel" aria-labelledby="rollouts">
        <h2 id="rollouts">{texts.rollouts}</h2>
        <QueryContent query={rollouts}>
          {list =>
            list.length === 0 ? (
              <p class="quiet">{texts.noRollouts}</p>
            ) : (
              <ul class="entry-list">
                {list.map(rollout => (
                  <RolloutItem key={rollout.id} rollout={rollout} />
                ))}
              </ul>
            )
          }
        </QueryContent>
      </section>
      <ReleaseList />
    </>
  );
};
