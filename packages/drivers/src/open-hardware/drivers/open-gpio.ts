import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { GpioInputs } from '../../gpio/gpio-inputs.ts';
import { GpioOutputs } from '../../gpio/gpio-outputs.ts';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

const mapped = <A, B>(lines: Readonly<Record<string, A>>, change: (line: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, change(line)]));

export const openGpio = async (
  bus: BusWithDriver<'gpio'>,
  { clock }: BusContext,
  calls: DeviceSystemCalls = linuxSystemCalls,
): Promise<OpenedBus> => {
  const { chip } = bus;
  const outputs = new GpioOutputs({
    chip,
    clock,
    calls,
    outputs: mapped(bus.outputs, ({ line, active }) => ({ line, active_low: active === 'low' })),
  });
  const inputs = new GpioInputs({
    chip,
    clock,
    calls,
    inputs: mapped(bus.inputs, ({ line, active, pull, debounce_ms }) => ({
      line,
      active_low: active === 'low',
      pull,
      debounce_ms,
    })),
  });
  return {
    outputs,
    inputs,
    close: async () => {
      outputs.close();
      inputs.close();
    },
  };
};
