import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { DemoPerson } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { GuestMagicLinkPanel } from './guest-magic-link.tsx';
import { describeHowToOpenDoor } from '../building/describe-simulated-door-and-keypad.ts';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';

const Pin = ({ pin }: { readonly pin: string }) => {
  const [isShown, setShown] = useState(false);
  return (
    <span class="pin">
      <span class="unseen">PIN </span>
      <output>{isShown ? pin : '•'.repeat(pin.length)}</output>
      <Button
        variant="plain"
        icon={icons.eyeIcon}
        label={isShown ? 'Hide PIN' : 'Show PIN'}
        onPress={() => setShown(!isShown)}
      />
    </span>
  );
};

interface CredentialButtonsProps {
  readonly person: DemoPerson;
  readonly door: SimulatedDoorState;
}

const CredentialButtons = ({
  person,
  door,
  hasGuestLink,
}: CredentialButtonsProps & { readonly hasGuestLink: boolean }) => {
  const { keypadInput } = useSimulatorControls();
  const { pin, card, has_phone } = person;
  return (
    <div class="credentials">
      {pin === null ? null : (
        <div class="pin-credential">
          <Button variant="primary" icon={icons.keypadIcon} onPress={() => void keypadInput.typePin(door, pin)}>
            Type PIN
          </Button>
          <Pin key={person.key} pin={pin} />
        </div>
      )}
      {card === null ? null : (
        <Button icon={icons.cardIcon} onPress={() => void keypadInput.typeCodeAndTap(door, person.key, 'card')}>
          Tap card
        </Button>
      )}
      {has_phone ? (
        <Button icon={icons.phoneIcon} onPress={() => void keypadInput.typeCodeAndTap(door, person.key, 'phone')}>
          Tap phone
        </Button>
      ) : null}
      {hasGuestLink ? (
        <Button icon={icons.qrCodeIcon} onPress={() => void keypadInput.typeCodeAndTap(door, person.key, 'qr_code')}>
          Show QR code
        </Button>
      ) : null}
      {has_phone ? <BluetoothPhone person={person} door={door} /> : null}
    </div>
  );
};

/** Meters. */
const DISTANCES = { nearest: 1, farthest: 15, initial: 2 };

const BluetoothPhone = ({ person, door }: CredentialButtonsProps) => {
  const { commands } = useSimulatorControls();
  const [distance_m, setDistance] = useState(DISTANCES.initial);
  return (
    <div class="bluetooth-phone">
      <Button
        icon={icons.phoneIcon}
        onPress={() => void commands.openWithPhone(door.key, { person: person.key, distance_m })}
      >
        Open with Bluetooth
      </Button>
      <label>
        Distance
        <input
          type="range"
          min={DISTANCES.nearest}
          max={DISTANCES.farthest}
          value={distance_m}
          aria-valuetext={`${distance_m} meters`}
          onInput={event => setDistance(event.currentTarget.valueAsNumber)}
        />
        <output>{distance_m} m</output>
      </label>
    </div>
  );
};

const DoorControls = ({ door }: { readonly door: SimulatedDoorState }) => {
  const { commands } = useSimulatorControls();
  const act = (action: Parameters<typeof commands.actOnDoor>[1]) => () => void commands.actOnDoor(door.key, action);
  const isOpen = door.leaf === 'open';
  return (
    <div class="door-controls">
      <Button icon={icons.exitIcon} onPress={act('exit')}>
        Exit button
      </Button>
      <Button icon={icons.handIcon} isDisabled={door.is_held} onPress={act('hold')}>
        Hold open
      </Button>
      <Button icon={icons.lightningIcon} isDisabled={isOpen} onPress={act('force')}>
        Force open
      </Button>
      <Button icon={icons.closeDoorIcon} isDisabled={!isOpen && !door.is_held} onPress={act('close')}>
        Close door
      </Button>
    </div>
  );
};

interface PersonAtDoorProps extends CredentialButtonsProps {
  readonly guestUrl: string | null;
}

export const PersonAtDoorPanel = ({ person, door, guestUrl }: PersonAtDoorProps) => (
  <section class="person-at-door card" aria-label="Person at the door">
    <h2>
      {person.name} <span class="at">at</span> {door.name}
    </h2>
    <p class="how">
      {describeHowToOpenDoor(door)} {person.doors.includes(door.key) ? null : <em>No access to this door.</em>}
    </p>
    <div class="acts">
      <CredentialButtons person={person} door={door} hasGuestLink={guestUrl !== null} />
      <DoorControls door={door} />
    </div>
    {guestUrl === null ? null : <GuestMagicLinkPanel url={guestUrl} name={person.name} />}
  </section>
);
