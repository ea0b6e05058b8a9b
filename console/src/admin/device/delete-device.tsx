import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetTriggerResponse } from '@lintel/wire-protocol/rest/gadget-trigger';
import { useLocation } from 'preact-iso/router';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useDevices, useGadgets, useApiList } from '../api/resource-hooks.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

/** The input rules of other controllers and the triggers that use a door of the device. */
const useUsesOf = (device: DeviceResponse): readonly string[] => {
  const { door: texts, device: own } = useMessages();
  const { allows } = useCurrentOrganization();
  const { data: devices = [] } = useDevices();
  const { data: gadgets = [] } = useGadgets();
  const { data: triggers = [] } = useApiList<GadgetTriggerResponse>(
    'gadget_trigger',
    '/gadget_triggers',
    { site_id: device.site_id },
    allows('gadget_triggers.read'),
  );
  const doors = new Map<string, string>(
    gadgets.filter(({ device_id }) => device_id === device.id).map(({ id, name }) => [id, name]),
  );
  const rules = devices
    .filter(({ id }) => id !== device.id)
    .flatMap(({ name, input_rules }) =>
      input_rules
        .filter(({ gadget_id }) => doors.has(gadget_id))
        .map(({ code, gadget_id }) => `${name}: ${texts.rule(code, doors.get(gadget_id) ?? '')}`),
    );
  const triggered = triggers
    .flatMap(({ source_gadget_id, target_gadget_id }) => [
      ...new Set([source_gadget_id ?? '', target_gadget_id].flatMap(id => doors.get(id) ?? [])),
    ])
    .map(name => own.triggerOf(name));
  return [...rules, ...triggered];
};

interface DeleteDeviceProps {
  readonly device: DeviceResponse;
  readonly onClose: () => void;
}

/** Deletes a device with its doors, and what uses them, after it is named. */
export const DeleteDeviceDialog = ({ device, onClose }: DeleteDeviceProps) => {
  const { device: texts, general } = useMessages();
  const { id, client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const uses = useUsesOf(device);
  const remove = async (): Promise<void> => {
    await client.delete(`/devices/${device.id}${uses.length === 0 ? '' : '?force=true'}`);
    route(linkTo('/doors?view=devices'));
    await queryClient.invalidateQueries({ queryKey: [id] });
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle(device.name)}
      confirmLabel={uses.length === 0 ? general.delete : texts.deleteAnyway}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{texts.deleteText}</p>
      {uses.length === 0 ? null : (
        <>
          <p class="mark">{texts.deleteForceText}</p>
          <ul class="site-devices">
            {uses.map((use, index) => (
              <li key={index}>{use}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
};
