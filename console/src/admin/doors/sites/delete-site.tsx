import type { SiteResponse } from '@lintel/wire-protocol/rest/site';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { queryClient } from '../../api/query-client.ts';
import { useDevices, useGadgets } from '../../api/resource-hooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useMessages } from '../../messages/language.ts';
import { useLinkTo } from '../../router/links-and-query-parameters.ts';

interface DeleteSiteProps {
  readonly site: SiteResponse;
  readonly onClose: () => void;
}

/** Deletes a site with its controllers and doors, after they are named. */
export const DeleteSiteDialog = ({ site, onClose }: DeleteSiteProps) => {
  const { sites: texts, general } = useMessages();
  const { id, client } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const { data: devices } = useDevices();
  const { data: gadgets = [] } = useGadgets();
  const here = (devices ?? []).filter(({ site_id }) => site_id === site.id);
  const isEmpty = here.length === 0;
  const doorsOf = (deviceId: string): string =>
    gadgets
      .filter(({ device_id }) => device_id === deviceId)
      .map(({ name }) => name)
      .join(', ');
  const remove = async (): Promise<void> => {
    await client.delete(`/sites/${site.id}${isEmpty ? '' : '?force=true'}`);
    await queryClient.invalidateQueries({ queryKey: [id] });
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle(site.name)}
      confirmLabel={isEmpty ? general.delete : texts.deleteWithDevices}
      isDangerous
      isDisabled={devices === undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      {isEmpty ? (
        <p>{texts.deleteText}</p>
      ) : (
        <>
          <p class="mark">{texts.deleteWithDevicesText}</p>
          <ul class="site-devices">
            {here.map(device => (
              <li key={device.id}>
                <a href={linkTo(`/devices/${device.id}`)}>{device.name}</a>
                {doorsOf(device.id) === '' ? null : `: ${doorsOf(device.id)}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
};
