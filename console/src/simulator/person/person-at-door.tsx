import type { DoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { Person } from '@lintel/wire-protocol/simulator/world';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { howToOpen } from '../building/door-words.ts';
import { useHands } from '../live/hands.ts';

const Pin = ({ pin }: { readonly pin: string }) => {
  const [isShown, setShown] = useState(false);
  return (
    <span class="pin">
      <span class="unseen">PIN </span>
      <output>{isShown ? pin : '•'.repeat(pin.length)}</output>
      <Press
        look="plain"
        icon={shapes.shown}
        label={isShown ? 'Hide the PIN' : 'Show the PIN'}
        press={() => setShown(!isShown)}
      />
    </span>
  );
};

interface WalletProps {
  readonly who: Person;
  readonly door: DoorState;
}

/** What somebody carries: nothing is shown that they do not have. */
const Wallet = ({ who, door }: WalletProps) => {
  const { typist } = useHands();
  const { pin, card, has_phone } = who;
  return (
    <div class="wallet">
      {pin === null ? null : (
        <div class="carried">
          <Press look="primary" icon={shapes.keypad} press={() => void typist.typePin(door, pin)}>
            Type PIN
          </Press>
          <Pin key={who.key} pin={pin} />
        </div>
      )}
      {card === null ? null : (
        <Press icon={shapes.card} press={() => void typist.tap(door, who.key, 'card')}>
          Tap card
        </Press>
      )}
      {has_phone ? (
        <Press icon={shapes.phone} press={() => void typist.tap(door, who.key, 'phone')}>
          Tap phone
        </Press>
      ) : null}
    </div>
  );
};

const DoorHands = ({ door }: { readonly door: DoorState }) => {
  const { orders } = useHands();
  const hand = (does: Parameters<typeof orders.hand>[1]) => () => void orders.hand(door.key, does);
  const isOpen = door.leaf === 'open';
  return (
    <div class="door-hands">
      <Press icon={shapes.exit} press={hand('exit')}>
        Exit button
      </Press>
      <Press icon={shapes.hand} isOff={door.is_held} press={hand('hold')}>
        Hold open
      </Press>
      <Press icon={shapes.force} isOff={isOpen} press={hand('force')}>
        Force
      </Press>
      <Press icon={shapes.close} isOff={!isOpen && !door.is_held} press={hand('close')}>
        Let go, close
      </Press>
    </div>
  );
};

/** Who stands where, and what they can do there. */
export const PersonAtDoor = ({ who, door }: WalletProps) => (
  <section class="here card" aria-label="Somebody at the door">
    <h2>
      {who.name} <span class="at">at</span> {door.name}
    </h2>
    <p class="how">
      {howToOpen(door)} {who.doors.includes(door.key) ? null : <em>This door is not theirs.</em>}
    </p>
    <div class="acts">
      <Wallet who={who} door={door} />
      <DoorHands door={door} />
    </div>
  </section>
);
