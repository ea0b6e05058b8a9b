import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Form } from '../../components/form.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { editObject } from '../api/edit-object.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useApiList, useApiObject } from '../api/resource-hooks.ts';
import { TextField } from '../components/form-fields.tsx';
import { SaveError } from '../components/save-error.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { useTypedInput } from '../components/unsaved-input.tsx';
import { useSubmission } from '../components/use-submission.ts';
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
  const { isBusy, error, submit } = useSubmission();
  const { onInput } = useTypedInput();
  const save = (): Promise<void> =>
    submit(async () => {
      try {
        for (const [kind, object] of [['devices', device] as const, ...doors.map(door => ['gadgets', door] as const)]) {
          const changed = names[object.id]?.trim() ?? object.name;
          if (changed !== object.name) await editObject(client, `/${kind}/${object.id}`, object, { name: changed });
        }
      } finally {
        await queryClient.invalidateQueries({ queryKey: [id] });
      }
      route(linkTo(`/devices/${device.id}`));
    });
  const field = (label: string, object: { readonly id: string; readonly name: string }) => (
    <TextField
      key={object.id}
      id={`name-${object.id}`}
      label={label}
      value={names[object.id] ?? object.name}
      maxLength={200}
      onChange={name => setNames({ ...names, [object.id]: name })}
    />
  );
  const isIncomplete = Object.values(names).some(name => name.trim() === '');
  return (
    <section class="card panel form-part">
      <p class="check" role="status">
        <StatusIcon level="ok" />
        <span>{texts.claimed(device.name)}</span>
      </p>
      <p class="quiet">{texts.nameDoors}</p>
      <Form
        isDisabled={isBusy || isIncomplete}
        onSubmit={() => void save()}
        onInput={onInput}
        submitLabel={texts.finish}
      >
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
