import { simulatedDeviceCall, typeAtSimulatedKeypad } from './device-process.ts';
import { LaunchedProgram } from './launched-program.ts';

/** A controller as systemd runs it. */
export class LaunchedController extends LaunchedProgram {
  protected override call(): readonly string[] {
    return simulatedDeviceCall(this.options.dataDir);
  }

  /** Types at the keypad. Rejects while the controller does not serve. */
  type(keys: string): Promise<void> {
    return typeAtSimulatedKeypad(this.options.dataDir, keys);
  }

  /** Leaves no unfinished entry, which would delay an update. */
  override use(): Promise<void> {
    return this.type('1*');
  }
}
