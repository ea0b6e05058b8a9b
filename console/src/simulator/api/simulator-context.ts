import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SimulatorCommands } from './simulator-commands.ts';
import type { KeypadInput } from './keypad-input.ts';

export interface SimulatorContext {
  readonly commands: SimulatorCommands;
  readonly keypadInput: KeypadInput;
}

const context = createContext<SimulatorContext | null>(null);

export const SimulatorProvider = context.Provider;

export const useSimulator = (): SimulatorContext => useContext(context)!;
