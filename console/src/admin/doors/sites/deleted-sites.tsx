import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { useState } from 'preact/hooks';
import { Button } from '../../../design/controls.tsx';
import { undoIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useApiList } from '../../api/resource-hooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useNotices } from '../../components/notices.tsx';
import { useMessages } from '../../messages/language.ts';

/** Deleted sites, which can be restored with their controllers and doors. */
export const DeletedSites = () => {
  const { sites: texts, member } = useMessages();
  const { id, client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const [restored, setRestored] = useState<SiteResponse | null>(null);
  const mayRestore = allows('sites.write');
  const { data: sites = [] } = useApiList<SiteResponse>('site', '/sites', { is_deleted: 'true' }, mayRestore);
  if (sites.length === 0) return null;
  const restore = async ({ id: siteId, name }: SiteResponse): Promise<void> => {
    await client.patch(`/sites/${siteId}`, { is_deleted: false });
    await queryClient.invalidateQueries({ queryKey: [id] });
    notices.show(texts.restored(name));
  };
  return (
    <details class="card panel deleted-sites">
      <summary>{texts.deleted(sites.length)}</summary>
      <ul class="entry-list">
        {sites.map(site => (
          <li key={site.id}>
            <span>{site.name}</span>
            <Button icon={undoIcon} label={texts.restore(site.name)} onPress={() => setRestored(site)}>
              {member.restore}
            </Button>
          </li>
        ))}
      </ul>
      {restored === null ? null : (
        <ConfirmDialog
          title={texts.restoreTitle(restored.name)}
          confirmLabel={member.restore}
          onConfirm={() => restore(restored)}
          onClose={() => setRestored(null)}
        >
          <p>{texts.restoreText}</p>
        </ConfirmDialog>
      )}
    </details>
  );
};
