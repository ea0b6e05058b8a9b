import type { VirtualKeypadEntryResponse } from '@lintel/wire-protocol/admin/virtual-keypad';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { useCallback, useRef, useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import { checkMarkIcon, crossMarkIcon } from '../../design/icons.ts';
import { useNewEvents } from '../api/live-events.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { SecretValue } from '../components/secret-value.tsx';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import type { FirstMember } from './create-virtual-door-and-first-member.ts';
import { VirtualKeypad } from './virtual-keypad.tsx';

type Outcome = { readonly isGranted: boolean; readonly reason: string | null };

const MIN_PIN_LENGTH = 4;

/** Sends the keys of the entry to the door's decision, as soon as they can be a PIN. */
const useEntry = (deviceId: string, onOutcome: (outcome: Outcome | null) => void) => {
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const [keys, setKeys] = useState('');
  // Keys can follow faster than responses.
  const latest = useRef('');
  const replace = (entry: string): void => {
    latest.current = entry;
    setKeys(entry);
  };
  const press = async (key: string): Promise<void> => {
    onOutcome(null);
    if (key === '*') return replace('');
    const entry = latest.current + key;
    replace(entry);
    if (entry.length < MIN_PIN_LENGTH && key !== '#') return;
    try {
      const path = `/devices/${deviceId}/keypad`;
      const { outcome, reason } = await client.post<VirtualKeypadEntryResponse>(path, { keys: entry });
      if (outcome === 'incomplete') return;
      replace('');
      if (outcome !== 'cleared') onOutcome({ isGranted: outcome === 'granted', reason });
    } catch (error) {
      replace('');
      notices.showError(error as Error);
    }
  };
  return { entered: keys.length, press };
};

const OutcomeNotice = ({ outcome, door }: { readonly outcome: Outcome; readonly door: string }) => {
  const { start, events } = useMessages();
  const { isGranted, reason } = outcome;
  return (
    <div class="start-outcome" data-is-granted={isGranted ? '' : undefined}>
      <Icon shape={isGranted ? checkMarkIcon : crossMarkIcon} />
      <div>
        <p class="outcome-title">
          {isGranted ? start.granted(door) : start.denied(door, events.reasons[reason ?? ''] ?? reason ?? '')}
        </p>
        <p>{isGranted ? start.grantedText : start.deniedText}</p>
      </div>
    </div>
  );
};

interface TryStepProps {
  readonly door: GadgetResponse;
  readonly device: DeviceResponse;
  /** Typed before the PIN; empty if the PIN alone opens the door. */
  readonly code: string;
  /** Null if the member was created earlier, because a PIN is shown once. */
  readonly member: FirstMember | null;
}

export const TryFirstDoorStep = ({ door, device, code, member }: TryStepProps) => {
  const { start } = useMessages();
  const linkTo = useLinkTo();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { entered, press } = useEntry(device.id, setOutcome);
  const isVirtual = device.hardware_id === null;
  // Decisions of a controller arrive as events.
  useNewEvents(
    useCallback(
      ({ verb, object, reason }: EventResponse) => {
        if (isVirtual || object.gadget_id !== door.id || (verb !== 'use' && verb !== 'deny')) return;
        setOutcome({ isGranted: verb === 'use', reason: reason ?? null });
      },
      [isVirtual, door.id],
    ),
  );
  return (
    <section class="card panel try-step" aria-labelledby="try-step">
      <div class="section">
        <h2 id="try-step">{start.tryTitle}</h2>
        <p class="quiet">{isVirtual ? start.tryText(door.name) : start.tryController(door.name)}</p>
        {member === null ? (
          <p>{start.anyPin}</p>
        ) : (
          <SecretValue
            label={start.pinOf(member.name)}
            value={code === '' ? member.pin : start.codeThenPin(code, member.pin)}
          />
        )}
        <div aria-live="polite">{outcome === null ? null : <OutcomeNotice outcome={outcome} door={door.name} />}</div>
        <div class="bar">
          <a class={outcome?.isGranted === true ? 'button primary' : 'button'} href={linkTo('')}>
            {start.finish}
          </a>
        </div>
      </div>
      {isVirtual ? <VirtualKeypad entered={entered} onPress={key => void press(key)} /> : null}
    </section>
  );
};
