import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { Icon } from '../../design/icon.tsx';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { DoorActionButtons } from './door-action-buttons.tsx';
import { selectGadgetIcon } from './select-gadget-icon.ts';
import { useDoorStatus } from './use-door-status.ts';

interface DoorCardProps {
  readonly door: GadgetResponse;
  readonly device: DeviceResponse | undefined;
}

/** A door with its state, the connection of its controller and its actions. */
export const DoorTile = ({ door, device }: DoorCardProps) => {
  const linkTo = useLinkTo();
  const { level, text, detail, isOnline, staysUnlocked } = useDoorStatus(door, device);
  return (
    <li
      class="door-card card"
      data-is-offline={isOnline ? undefined : ''}
      data-is-alarm={level === 'error' ? '' : undefined}
      data-is-unlocked={level === 'warning' ? '' : undefined}
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
        <span>
          {text}
          {detail === null ? null : <span class="small">{isOnline ? ` ${detail}` : ` · ${detail}`}</span>}
        </span>
      </p>
      <DoorActionButtons door={door} isOnline={isOnline} isLockFirst={staysUnlocked} />
    </li>
  );
};
