import { type ControllerOptions, createController } from '@lintel/device-runtime/main';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { SimulatedInputs } from './simulated-inputs.ts';
import { SimulatedKeypad } from './simulated-keypad.ts';
import { SimulatedOutputs } from './simulated-outputs.ts';
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
  const wiring = createSimulatedWiring({ keypad, reader });
  return { ...createController({ ...options, wiring, outputs, inputs }), keypad, reader, outputs, inputs };
};
