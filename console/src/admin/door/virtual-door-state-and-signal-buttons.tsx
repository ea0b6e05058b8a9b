import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { queryClient } from '../api/query-client.ts';
import { useNotices } from '../components/notices.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';

/** A virtual door has no hardware that reports, so these buttons do. */
export const VirtualDoorControls = ({ door }: { readonly door: GadgetResponse }) => {
  const { door: texts } = useMessages();
  const { id, client } = useCurrentOrganization();
  const notices = useNotices();
  const { run } = useNotifiedAction();
  const report = (send: () => Promise<unknown>, name: string): Promise<void> =>
    run(async () => {
      await send();
      await queryClient.invalidateQueries({ queryKey: [id, 'gadget'] });
      notices.show(texts.reported(name));
    });
  return (
    <section class="card panel" aria-labelledby="door-virtual">
      <h2 id="door-virtual">{texts.virtual}</h2>
      <p class="quiet">{texts.virtualText}</p>
      {door.states.length === 0 ? null : (
        <div class="bar" role="group" aria-label={texts.states}>
          {door.states.map(state => (
            <Button
              key={state.id}
              label={texts.setState(state.name)}
              isDisabled={state.id === door.state_id}
              onPress={() => void report(() => client.patch(`/gadgets/${door.id}`, { state_id: state.id }), state.name)}
            >
              {state.name}
            </Button>
          ))}
        </div>
      )}
      {door.signals.length === 0 ? null : (
        <div class="bar" role="group" aria-label={texts.signals}>
          {door.signals.map(signal => (
            <Button
              key={signal.id}
              label={texts.sendSignal(signal.name)}
              onPress={() => void report(() => client.post(`/gadgets/${door.id}/signals/${signal.id}`), signal.name)}
            >
              {signal.name}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
};
