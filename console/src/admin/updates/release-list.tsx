import type { ReleaseResponse } from '@lintel/wire-protocol/admin/release';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { uploadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useLanguage } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { StartRolloutDialog } from './start-rollout.tsx';

const MEBIBYTE = 1024 * 1024;

const ReleaseItem = ({ release }: { readonly release: ReleaseResponse }) => {
  const { messages, locale } = useLanguage();
  const { updates: texts } = messages;
  const { id, client, allows } = useCurrentOrganization();
  const time = useSiteTimeFormats();
  const [dialog, setDialog] = useState<'start' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const name = texts.releaseName(texts.programs[release.program] ?? release.program, release.version);
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(release.size / MEBIBYTE);
  const remove = async (): Promise<void> => {
    await client.delete(`/releases/${release.id}`);
    await queryClient.invalidateQueries({ queryKey: [id, 'release'] });
  };
  return (
    <li>
      <span>
        {name}
        <small class="quiet">
          {release.arch} · {size} MiB · {texts.signed(time.formatShort(release.made_at))}
        </small>
      </span>
      {allows('updates.write') ? (
        <>
          <Button label={`${texts.rollOut}: ${name}`} onPress={() => setDialog('start')}>
            {texts.rollOut}
          </Button>
          <DeleteButton name={name} onPress={() => setDialog('delete')} />
        </>
      ) : null}
      {dialog === 'start' ? (
        <StartRolloutDialog release={release} title={`${texts.rollOut}: ${name}`} onClose={close} />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog title={texts.deleteTitle(name)} text={texts.deleteText} onConfirm={remove} onClose={close} />
      ) : null}
    </li>
  );
};

export const ReleaseList = () => {
  const { messages } = useLanguage();
  const { updates: texts } = messages;
  const releases = useApiList<ReleaseResponse>('release', '/releases');
  return (
    <section class="card panel" aria-labelledby="releases">
      <h2 id="releases">{texts.releases}</h2>
      <QueryContent query={releases}>
        {list =>
          list.length === 0 ? (
            <EmptyState icon={uploadIcon} title={texts.noReleases} text={texts.noReleasesText} />
          ) : (
            <ul class="entry-list">
              {list.map(release => (
                <ReleaseItem key={release.id} release={release} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  );
};
