import type { AttentionItem } from '@lintel/wire-protocol/admin/attention-items';
import { Icon } from '../../design/icon.tsx';
import { controllerIcon } from '../../design/icons.ts';
import { StatusBadge } from '../components/status-badge.tsx';
import { describeAttentionItem } from '../attention/attention-item.ts';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { describeDevicePower } from './describe-device-power.ts';
import { DoorActionButtons } from './door-action-buttons.tsx';
import type { DoorsScreenRow } from './doors-screen-rows.ts';
import { selectGadgetIcon } from './select-gadget-icon.ts';
import { useDoorStatus } from './use-door-status.ts';

/** What the state of the row shows already. */
const shownByState: ReadonlySet<string> = new Set(['device_offline', 'door_unlocked']);

const Issues = ({ issues, name }: { readonly issues: readonly AttentionItem[]; readonly name: string }) => {
  const messages = useMessages();
  const shown = issues.filter(({ kind }) => !shownByState.has(kind));
  const texts = new Set(shown.map(issue => describeAttentionItem(messages, issue, name)));
  return texts.size === 0 ? null : <span class="place-issue small">{[...texts].join(' · ')}</span>;
};

export const DoorListItem = ({ door, device, issues }: Extract<DoorsScreenRow, { kind: 'door' }>) => {
  const linkTo = useLinkTo();
  const { level, text, detail, isOnline, staysUnlocked } = useDoorStatus(door, device);
  return (
    <div class="place-row">
      <Icon shape={selectGadgetIcon(door)} />
      <span class="place-name">
        <a href={linkTo(`/doors/${door.id}`)}>{door.name}</a>
        <span class="quiet small">{device?.name}</span>
        {detail === null ? null : (
          <span class="door-detail small" data-level={level}>
            {detail}
          </span>
        )}
        <Issues issues={issues} name={door.name} />
      </span>
      <StatusBadge level={level} text={text} />
      {/* The page of the door has all actions. */}
      <DoorActionButtons door={door} isOnline={isOnline} isLockFirst={staysUnlocked} limit={1} />
    </div>
  );
};

export const DeviceListItem = ({ device, doorCount, issues }: Extract<DoorsScreenRow, { kind: 'device' }>) => {
  const messages = useMessages();
  const { doors } = messages;
  const linkTo = useLinkTo();
  const { online } = device.status;
  const details = [doors.doorCount(doorCount), describeDevicePower(device.status, messages)];
  return (
    <div class="place-row">
      <Icon shape={controllerIcon} />
      <span class="place-name">
        <a href={linkTo(`/devices/${device.id}`)}>{device.name}</a>
        <span class="quiet small">{details.filter(text => text !== null).join(' · ')}</span>
        <Issues issues={issues} name={device.name} />
      </span>
      <StatusBadge level={online ? 'ok' : 'neutral'} text={online ? doors.online : doors.offline} />
    </div>
  );
};
