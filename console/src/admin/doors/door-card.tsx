import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { Icon } from '../../design/icon.tsx';
import { doorIcon } from '../../design/icons.ts';
import { useMessages } from '../messages/language.ts';
import { DoorActions } from './door-action.tsx';

interface DoorCardProps {
  readonly door: GadgetResponse;
  readonly device: DeviceResponse | undefined;
}

const alarmStates: ReadonlySet<string> = new Set(['forced', 'held_open', 'tamper']);

/** A door with its state, the connection of its controller and its actions. */
export const DoorCard = ({ door, device }: DoorCardProps) => {
  const { doors } = useMessages();
  const isOnline = device?.status.online === true;
  const state = door.states.find(({ id }) => id === door.state_id);
  const isAlarm = door.state_id !== null && alarmStates.has(door.state_id);
  return (
    <li class="door-card card" data-is-offline={isOnline ? undefined : ''} data-is-alarm={isAlarm ? '' : undefined}>
      <div class="door-title">
        <Icon shape={doorIcon} />
        <div>
          <h3>{door.name}</h3>
          <p class="quiet small">{device?.name}</p>
        </div>
      </div>
      <p class="door-state">
        <span class="dot" data-level={isAlarm ? 'error' : isOnline ? 'ok' : 'neutral'} />
        {isOnline ? (state?.name ?? doors.online) : doors.offline}
      </p>
      <DoorActions door={door} isOnline={isOnline} />
    </li>
  );
};
