import type { BusWithDriver } from '@lintel/hardware-profiles/bus-schemas';
import { type I2cRegisterBus, openI2cBus } from '@lintel/service/linux/i2c';
import { ConfirmedRelays } from '../../relays/confirmed-relays/confirmed-relays.ts';
import { Mcp23017 } from '../../mcp23017/mcp23017.ts';
import { createMcp23017Link, Mcp23017Inputs } from '../../mcp23017/mcp23017-lines.ts';
import type { OpenedBus } from '../opened-bus.ts';
import type { BusContext } from '../hardware-driver-context.ts';

const maskOf = (lines: readonly { readonly line: number }[]): number =>
  lines.reduce((mask, { line }) => mask | (1 << line), 0);

export const openMcp23017 = async (
  { bus, address, outputs, inputs }: BusWithDriver<'mcp23017'>,
  { clock }: BusContext,
  i2c: I2cRegisterBus = openI2cBus(bus),
): Promise<OpenedBus> => {
  const relays = Object.values(outputs);
  const chip = new Mcp23017(i2c, address, {
    outputs: maskOf(relays),
    offLevels: maskOf(relays.filter(({ active }) => active === 'low')),
    inputs: maskOf(Object.values(inputs).filter(({ pull }) => pull === 'up')),
  });
  const board = new ConfirmedRelays({ clock, outputs: Object.keys(outputs), link: createMcp23017Link(chip, outputs) });
  const contacts = new Mcp23017Inputs({ chip, clock, inputs });
  return {
    outputs: board,
    inputs: contacts,
    close: async () => {
      contacts.close();
      await board.close();
    },
  };
};
