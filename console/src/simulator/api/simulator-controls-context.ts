import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SimulatorCommands } from './simulator-commands.ts';
import type { KeypadAndTapSender } from './keypad-and-tap-sender.ts';

export interface SimulatorControls {
  readonly commands: SimulatorCommands;
  readonly keypadInput: KeypadAndTapSender;
}

const context = createContext<SimulatorControls | null>(null);

export const SimulatorControlsProvider = context.Provider;

export const useSimulatorControls = (): SimulatorControls => useContext(context)!;
