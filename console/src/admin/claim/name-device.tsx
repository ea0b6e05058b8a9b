import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Form } from '../../components/form.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { editObject } from '../api/edit-object.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiList, useApiObject } from '../api/resource-hooks.ts';
import { SaveError } from '../components/save-error.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';

interface NameFormProps {
  readonly device: DeviceResponse;
  readonly doors: readonly GadgetResponse[];
}

const NameForm = ({ device, doors }: NameFormProps) => {
  const { claim: texts, stay } = useMessages();
  const { id, client, allows } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      for (const [kind, object] of [['devices', device] as const, ...doors.map(door => ['gadgets', door] as const)]) {
        const changed = names[object.id]?.trim() ?? object.name;
        if (changed !== object.name) await editObject(client, `/${kind}/${object.id}`, object, { name: changed });
      }
      await queryClient.invalidateQueries({ queryKey: [id] });
      route(linkTo(`/devices/${device.id}`));
    } catch (problem) {
      setError(problem as Error);
      await queryClient.invalidateQueries({ queryKey: [id] });
      setBusy(false);
    }
  };
  const field = (label: string, object: { readonly id: string; readonly name: string }) => (
    <FormField key={object.id} id={`name-${object.id}`} label={label}>
      {described => (
        <input
          {...described}
          value={names[object.id] ?? object.name}
          maxLength={200}
          autocomplete="off"
          onInput={event => setNames({ ...names, [object.id]: event.currentTarget.value })}
        />
      )}
    </FormField>
  );
  const isIncomplete = Object.values(names).some(name => name.trim() === '');
  return (
    <section class="card panel form-part">
      <p class="check" role="status">
        <StatusIcon level="ok" />
        <span>{texts.claimed(device.name)}</span>
      </p>
      <p class="quiet">{texts.nameDoors}</p>
      <Form isDisabled={isBusy || isIncomplete} onSubmit={() => void save()} submitLabel={texts.finish}>
        {field(texts.controllerName, device)}
        {allows('gadgets.write') ? doors.map((door, index) => field(texts.doorName(index + 1), door)) : null}
        <SaveError error={error} labels={{ name: stay.name }} />
      </Form>
    </section>
  );
};

/** Names of a controller that has just claimed, and of its doors. */
export const NameDeviceForm = ({ deviceId }: { readonly deviceId: string }) => {
  const device = useApiObject<DeviceResponse>('device', `/devices/${deviceId}`);
  const doors = useApiList<GadgetResponse>('gadget', '/gadgets', { device_id: deviceId });
  return (
    <QueryContent query={device}>
      {loaded => <QueryContent query={doors}>{list => <NameForm device={loaded} doors={list} />}</QueryContent>}
    </QueryContent>
  );
};
