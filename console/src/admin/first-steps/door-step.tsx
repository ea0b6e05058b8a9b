import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { doorIcon, keypadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useInstallation } from '../api/resource-hooks.ts';
import { ClaimTicketPanel } from '../claim/claim-ticket.tsx';
import { useMessages } from '../messages/language.ts';
import { createVirtualDoor } from './create-virtual-door-and-first-member.ts';
import { useSaveFirstStep } from './use-save-first-step.ts';

/** Of this computer: no controller can reach it. */
const LOCAL_ADDRESS = /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::|\/|$)/;

/** Ends by itself when the organization has a door. */
export const FirstDoorStep = ({ siteId }: { readonly siteId: string }) => {
  const messages = useMessages();
  const { start } = messages;
  const { client } = useCurrentOrganization();
  const { isBusy, save } = useSaveFirstStep();
  const [hasTicket, setHasTicket] = useState(false);
  const address = useInstallation().data?.public_url;
  const addVirtualDoor = () =>
    save(async () => {
      await createVirtualDoor(client, siteId, messages);
    });
  return (
    <section class="section" aria-labelledby="door-step">
      <h2 id="door-step">{start.doorTitle}</h2>
      <div class="start-choices" data-is-claiming={hasTicket ? '' : undefined}>
        <section class="card panel">
          <h3>
            <Icon shape={keypadIcon} /> {start.virtualTitle}
          </h3>
          <p class="quiet">{start.virtualText}</p>
          <Button variant="primary" isDisabled={isBusy} onPress={() => void addVirtualDoor()}>
            {start.virtualButton}
          </Button>
        </section>
        <section class="card panel">
          <h3>
            <Icon shape={doorIcon} /> {start.controllerTitle}
          </h3>
          <p class="quiet">{start.controllerText}</p>
          {!hasTicket && address !== undefined && LOCAL_ADDRESS.test(address) ? (
            <p class="mark">{start.localAddress(address)}</p>
          ) : null}
          {hasTicket ? (
            <div class="claim-guide">
              <ClaimTicketPanel siteId={siteId} deviceId={null} onClaimed={() => void save(async () => undefined)} />
              <ol class="numbered">
                {start.claimSteps.map(text => (
                  <li key={text}>{text}</li>
                ))}
              </ol>
              <p class="quiet small">{start.waiting}</p>
            </div>
          ) : (
            <Button isDisabled={isBusy} onPress={() => setHasTicket(true)}>
              {start.controllerButton}
            </Button>
          )}
        </section>
      </div>
    </section>
  );
};
