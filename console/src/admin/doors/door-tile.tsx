import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { Icon } from '../../design/icon.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { DoorActionButtons } from './door-action-buttons.tsx';
import { describeDoorStatus } from './describe-door-status.ts';
import { selectGadgetIcon } from './select-gadget-icon.ts';

interface DoorCardProps {
  readonly door: GadgetResponse;
  readonly device: DeviceResponse | undefined;
}

/** A door with its state, the connection of its controller and its actions. */
export const DoorTile = ({ door, device }: DoorCardProps) => {
  const messages = useMessages();
  const linkTo = useLinkTo();
  const { level, text, isOnline } = describeDoorStatus(door, device, messages);
  return (
    <li
      class="door-card card"
      data-is-offline={isOnline ? undefined : ''}
      data-is-alarm={level === 'error' ? '' : undefined}
    >
      <div class="door-title">
        <Icon shape={selectGadgetIcon(door)} />
        <div>
          <h3>
            <a href={linkTo(`/doors/${door.id}`)}>{door.name}</a>
          </h3>
          <p class="quiet small">{device?.name}</p>
        </div>
      </div>
      <p class="door-state">
        <span class="dot" data-level={level} />
        {text}
      </p>
      <DoorActionButtons door={door} isOnline={isOnline} />
    </li>
  );
};
