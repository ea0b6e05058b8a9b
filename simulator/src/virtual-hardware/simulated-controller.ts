import { type ControllerInstance, type ControllerOptions, createController } from '@lintel/device-runtime/main';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { SimulatedInputs } from './simulated-inputs.ts';
import { SimulatedKeypad } from './simulated-keypad.ts';
import { SimulatedOutputs } from './simulated-outputs.ts';
import { SimulatedRadio } from './simulated-bluetooth-radio.ts';
import { SimulatedReader } from './simulated-reader.ts';
import { createSimulatedWiring } from './simulated-wiring.ts';

type SimulatedOptions = Omit<ControllerOptions, 'wiring' | 'outputs' | 'inputs'>;

/** Creates a controller with the real firmware and simulated parts. */
export const createSimulatedController = (options: SimulatedOptions) => {
  const keypad = new SimulatedKeypad();
  const clock = options.clock ?? new ProcessClock();
  const reader = new SimulatedReader(clock);
  const outputs = new SimulatedOutputs(clock);
  const inputs = new SimulatedInputs();
  const radio = new SimulatedRadio({
    identity: () => instance.enrollment(),
    bluetoothKey: () => instance.controller.siteDirectory.bluetoothKey(),
    clock,
    log: options.log,
  });
  const bluetooth = { radio, limits: { rssi_threshold: -75, requires_rssi: false, round_trip_ms: 10_000 } };
  const wiring = { ...createSimulatedWiring({ keypad, reader }), bluetooth };
  const instance: ControllerInstance = createController({ ...options, wiring, outputs, inputs });
  return { ...instance, keypad, reader, radio, outputs, inputs };
};
