import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { deleteIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { ClaimTicketPanel } from '../claim/claim-ticket.tsx';
import { useNotices } from '../components/notices.tsx';
import { RenameDialog } from '../named-object/rename-dialog.tsx';
import { useMessages } from '../messages/language.ts';
import { ReportStolenDialog } from './report-stolen.tsx';
import { DeleteDeviceDialog } from './delete-device.tsx';
import { DialogButtons } from '../components/dialog-buttons.tsx';

interface DeviceDialogProps {
  readonly device: DeviceResponse;
  readonly onClose: () => void;
}

/** New hardware claims the ticket and takes the place of the old one, with its doors and rules. */
const ReplaceHardware = ({ device, onClose }: DeviceDialogProps) => {
  const { device: texts } = useMessages();
  const notices = useNotices();
  const title = texts.replaceTitle(device.name);
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <p>{texts.replaceText}</p>
      <ClaimTicketPanel
        siteId={device.site_id}
        deviceId={device.id}
        onClaimed={() => {
          notices.show(texts.replaced(device.name));
          onClose();
        }}
      />
      <DialogButtons label="close" onClose={onClose} />
    </Dialog>
  );
};

export const DeviceActionButtons = ({ device }: { readonly device: DeviceResponse }) => {
  const { device: texts, door, general } = useMessages();
  const { id, allows } = useCurrentOrganization();
  const [dialog, setDialog] = useState<'rename' | 'replace' | 'stolen' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      {allows('devices.edit') ? <Button onPress={() => setDialog('rename')}>{door.rename}</Button> : null}
      {allows('claim_tickets.write') && device.hardware_id !== null ? (
        <Button onPress={() => setDialog('replace')}>{texts.replace}</Button>
      ) : null}
      {allows('devices.confirm') && device.hardware_id !== null ? (
        <Button onPress={() => setDialog('stolen')}>{texts.stolen}</Button>
      ) : null}
      {allows('devices.write') ? (
        <Button icon={deleteIcon} variant="danger" onPress={() => setDialog('delete')}>
          {general.delete}
        </Button>
      ) : null}
      {dialog === 'rename' ? (
        <RenameDialog
          title={door.rename}
          label={door.name}
          path={`/devices/${device.id}`}
          name={device.name}
          reload={() => queryClient.invalidateQueries({ queryKey: [id, 'device'] })}
          onClose={close}
        />
      ) : null}
      {dialog === 'replace' ? <ReplaceHardware device={device} onClose={close} /> : null}
      {dialog === 'stolen' ? <ReportStolenDialog device={device} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteDeviceDialog device={device} onClose={close} /> : null}
    </>
  );
};
