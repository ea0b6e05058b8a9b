import type { GadgetId } from '@lintel/access-core/ids';
import type { GadgetWiring, Wiring } from '@lintel/drivers/interfaces';
import type { SnapshotGadgetEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';

/** A line of the board with its purpose. */
export interface BoardLine {
  readonly direction: 'input' | 'output';
  readonly name: string;
  readonly role: string | null;
  /** The gadget that uses it. */
  readonly gadget_id: GadgetId | null;
}

type Named = Pick<BoardLine, 'direction' | 'role'> & { readonly name: string | null };

const input = (role: string | null, name: string | null): Named => ({ direction: 'input', role, name });
const output = (role: string | null, name: string | null): Named => ({ direction: 'output', role, name });

const ofGadget = (wiring: GadgetWiring): readonly Named[] => {
  switch (wiring.kind) {
    case 'door':
      return [
        output('strike', wiring.strike),
        input('contact', wiring.contact?.input ?? null),
        input('exit_button', wiring.exit_button),
      ];
    case 'blind':
      return [output('up', wiring.config.up_output), output('down', wiring.config.down_output)];
    case 'switch':
      return wiring.outputs.map(name => output('switched', name));
  }
};

const ofBoard = (wiring: Wiring): readonly Named[] => [
  ...wiring.stations.flatMap(({ indicator }) => [
    output('green', indicator.green),
    output('red', indicator.red),
    output('buzzer', indicator.buzzer),
  ]),
  input('tamper', wiring.tamper),
  input('setup_button', wiring.setup_button ?? null),
  ...(wiring.lines?.inputs ?? []).map(name => input(null, name)),
  ...(wiring.lines?.outputs ?? []).map(name => output(null, name)),
];

/** Lists every line once, with its first purpose. */
export const listBoardLines = (wiring: Wiring, gadgets: readonly SnapshotGadgetEntry[]): readonly BoardLine[] => {
  const lines = new Map<string, BoardLine>();
  const add = (named: readonly Named[], gadget_id: GadgetId | null): void => {
    for (const { name, ...line } of named) {
      const key = `${line.direction} ${name}`;
      if (name !== null && !lines.has(key)) lines.set(key, { ...line, name, gadget_id });
    }
  };
  for (const [place, gadget] of gadgets.entries()) {
    const wired = wiring.gadget(gadget, place, gadgets);
    if (wired !== null) add(ofGadget(wired), gadget.id);
  }
  add(ofBoard(wiring), null);
  return [...lines.values()];
};
