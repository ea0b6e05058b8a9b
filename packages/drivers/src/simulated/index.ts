import * as z from 'zod';
import { defineDriver, lines, type ProfilePath, singleBus } from '../definition/define-driver.ts';
import { createRecordByPartNameSchema, partNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { plugRow } from '../definition/wiring.ts';
import { createFindingFactory } from '../host/finding.ts';

const inList = (names: readonly string[], at: string) =>
  names.map((name, index): readonly [string, ProfilePath] => [name, [at, index]]);

/** Simulated parts, operated through a socket, of which a machine has one. */
export const simulated = defineDriver({
  name: 'simulated',
  title: 'Simulated parts',
  settings: z.strictObject({
    outputs: createRecordByPartNameSchema(z.strictObject({ wire: wireDescriptionSchema })),
    inputs: createRecordByPartNameSchema(z.strictObject({ wire: wireDescriptionSchema })),
    keypads: z.array(partNameSchema).max(16).default([]),
    readers: z.array(partNameSchema).max(16).default([]),
  }),
  documentation: {
    products: 'parts of the simulator',
    price: '–',
    interface: 'socket',
    since: '0.1.0',
    verified: '–',
    fields: '`outputs`, `inputs`, `keypads`, `readers`',
    offers: 'all',
  },
  parts: ({ keypads, readers, ...boards }) => ({
    ...lines(boards),
    keypads: inList(keypads, 'keypads'),
    readers: inList(readers, 'readers'),
  }),
  exclusive: () => [singleBus('simulated')],
  wiring: ({ keypads, readers, outputs, inputs }) => ({
    rows: Object.entries({ keypads, readers, outputs: Object.keys(outputs), inputs: Object.keys(inputs) })
      .filter(([, names]) => names.length > 0)
      .map(([kind, names]) => plugRow('parts.sock', kind, names.join(', '))),
  }),
  doctor: (_, { name }) => [createFindingFactory('profile').ok(`${name}: simulated`)],
  open: async (bus, context) => {
    if (context.loadSimulatedParts === undefined)
      throw new Error('Simulated parts are not available in this program. Choose the profile of a real product');
    return (await context.loadSimulatedParts()).openBus(bus, context);
  },
});
