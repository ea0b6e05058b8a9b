import type {
  SimulatorVirtualDeviceView,
  SimulatorVirtualGadgetView,
} from '@lintel/wire-protocol/simulator/virtual-device';
import { useSimulatorControls } from '../api/simulator-controls-context.ts';

interface GadgetProps {
  readonly device: string;
  readonly gadget: SimulatorVirtualGadgetView;
}

const VirtualGadget = ({ device, gadget: { gadget_id, name, state, actions, signals } }: GadgetProps) => {
  const { commands } = useSimulatorControls();
  return (
    <li data-gadget={name}>
      <p>
        <strong>{name}</strong> <span class="state">{state?.name ?? 'no state'}</span>
      </p>
      <div class="virtual-acts" role="group" aria-label={`Actions and signals of ${name}`}>
        {actions.map(action => (
          <button
            key={action.id}
            type="button"
            class="button"
            onClick={() => void commands.performVirtualAction(device, { gadget_id, action_id: action.id })}
          >
            {action.name}
          </button>
        ))}
        {signals.map(signal => (
          <button
            key={signal.id}
            type="button"
            class="button"
            onClick={() => void commands.sendVirtualSignal(device, { gadget_id, signal_id: signal.id })}
          >
            Signal: {signal.name}
          </button>
        ))}
      </div>
    </li>
  );
};

/** Devices without hardware: their states, actions and signals. */
export const VirtualDevicesPanel = ({ devices }: { readonly devices: readonly SimulatorVirtualDeviceView[] }) =>
  devices.length === 0 ? null : (
    <section class="virtual-devices card" aria-label="Virtual devices">
      <header>
        <h2>Virtual devices</h2>
        <p>Devices without hardware. The bridge performs their actions; you send their signals.</p>
      </header>
      {devices.map(({ key, name, gadgets }) => (
        <section key={key} aria-label={name}>
          <h3>{name}</h3>
          <ul>
            {gadgets.map(gadget => (
              <VirtualGadget key={gadget.gadget_id} device={key} gadget={gadget} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
