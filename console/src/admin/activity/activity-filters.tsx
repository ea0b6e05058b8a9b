import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Button } from '../../design/controls.tsx';
import { crossMarkIcon, personIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useGadgets, useApiObject } from '../api/resource-hooks.ts';
import { MemberPicker } from '../components/member-picker.tsx';
import { useMessages } from '../messages/language.ts';
import { useUrlQueryParameters } from '../router/links-and-query-parameters.ts';
import { eventFilterKinds } from './event-filter.ts';
import { PeriodFilter, type PeriodFilterProps } from './period-filter.tsx';
import { DialogButtons } from '../components/dialog-buttons.tsx';

interface RemovableFilterProps {
  readonly id: string;
  readonly onRemove: () => void;
}

/** A chosen filter; pressing it removes it. */
export const RemovableFilter = ({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) => (
  <Button icon={crossMarkIcon} label={useMessages().activity.removeFilter(text)} onPress={onRemove}>
    {text}
  </Button>
);

const MemberFilter = ({ id, onRemove }: RemovableFilterProps) => {
  const { activity, members } = useMessages();
  const { allows } = useCurrentOrganization();
  const { data } = useApiObject<MemberResponse>('member', `/members/${id}`, {}, allows('members.read'));
  return <RemovableFilter text={activity.member(data?.name || members.unnamed)} onRemove={onRemove} />;
};

const DeviceFilter = ({ id, onRemove }: RemovableFilterProps) => {
  const { activity } = useMessages();
  const { data } = useApiObject<DeviceResponse>('device', `/devices/${id}`);
  return <RemovableFilter text={activity.device(data?.name ?? '')} onRemove={onRemove} />;
};

/** Chooses the person whose events are listed. */
const ChooseMember = ({ onSelect }: { readonly onSelect: (id: string) => void }) => {
  const { activity } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const select = (member: MemberResponse | null): void => {
    if (member === null) return;
    setOpen(false);
    onSelect(member.id);
  };
  return (
    <>
      <Button icon={personIcon} onPress={() => setOpen(true)}>
        {activity.filterByMember}
      </Button>
      {isOpen ? (
        <Dialog label={activity.filterByMember} onClose={() => setOpen(false)}>
          <h2>{activity.filterByMember}</h2>
          <MemberPicker selected={null} onSelect={select} />
          <DialogButtons label="cancel" onClose={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  );
};

/** The filters of the list; they are part of the address. */
export const ActivityFilters = (zoneProps: PeriodFilterProps) => {
  const { activity, events } = useMessages();
  const { allows } = useCurrentOrganization();
  const { data: doors = [] } = useGadgets();
  const [query, setQuery] = useUrlQueryParameters();
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <select
      aria-label={label}
      value={query[name] ?? ''}
      onChange={event => setQuery({ [name]: event.currentTarget.value })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  const { member = '', device = '' } = query;
  return (
    <div class="activity-filters">
      {select(
        'kind',
        activity.kind,
        eventFilterKinds.map(kind => [kind === 'all' ? '' : kind, activity.kinds[kind]]),
      )}
      {select('door', activity.door, [['', activity.anyDoor], ...doors.map(({ id, name }) => [id, name] as const)])}
      {query['kind'] === 'deny'
        ? select('reason', activity.reason, [['', activity.anyReason], ...Object.entries(events.reasons)])
        : null}
      <PeriodFilter {...zoneProps} />
      {member !== '' ? (
        <MemberFilter id={member} onRemove={() => setQuery({ member: null })} />
      ) : allows('members.read') ? (
        <ChooseMember onSelect={id => setQuery({ member: id })} />
      ) : null}
      {device === '' ? null : <DeviceFilter id={device} onRemove={() => setQuery({ device: null })} />}
    </div>
  );
};
