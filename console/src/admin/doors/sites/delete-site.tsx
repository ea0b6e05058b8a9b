import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { Dialog } from '../../../components/dialog.tsx';
import { Button } from '../../../design/controls.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useDevices } from '../../api/resource-hooks.ts';
import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';

interface DeleteSiteProps {
  readonly site: SiteResponse;
  readonly onClose: () => void;
}

/** A site with controllers is not deleted, because their doors would stop working. */
export const DeleteSiteDialog = ({ site, onClose }: DeleteSiteProps) => {
  const { sites: texts, general } = useMessages();
  const { id, client } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const { data: devices = [] } = useDevices();
  const here = devices.filter(({ site_id }) => site_id === site.id);
  const remove = async (): Promise<void> => {
    await client.delete(`/sites/${site.id}`);
    await queryClient.invalidateQueries({ queryKey: [id, 'site'] });
  };
  if (here.length === 0)
    return (
      <DeleteDialog title={texts.deleteTitle(site.name)} text={texts.deleteText} onConfirm={remove} onClose={onClose} />
    );
  return (
    <Dialog label={texts.notDeletable(site.name)} onClose={onClose}>
      <h2>{texts.notDeletable(site.name)}</h2>
      <p>{texts.notDeletableText}</p>
      <ul class="site-devices">
        {here.map(device => (
          <li key={device.id}>
            <a href={linkTo(`/devices/${device.id}`)}>{device.name}</a>
          </li>
        ))}
      </ul>
      <Button onPress={onClose}>{general.close}</Button>
    </Dialog>
  );
};
