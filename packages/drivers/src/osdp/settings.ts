import * as z from 'zod';
import { createRecordByPartNameSchema, wireDescriptionSchema } from '../definition/fields.ts';
import { createBaudRateSchema, serialPortSchema } from '../serial-line/serial-port.ts';
import { wiegandFormatsSchema } from '../wiegand/formats.ts';

const osdpOutput = z.union(
  [
    z.strictObject({
      led: z.enum(['green', 'red', 'amber', 'blue']),
      /** For readers with several LEDs. */
      number: z.int().min(0).max(7).default(0),
      wire: wireDescriptionSchema,
    }),
    /** A text on the display, shown while the output is on. */
    z.strictObject({
      text: z.string().regex(/^[ -~]{1,32}$/, { error: 'must be 1 to 32 characters of ASCII' }),
      wire: wireDescriptionSchema,
    }),
    z.strictObject({ buzzer: z.literal(true), wire: wireDescriptionSchema }),
    z.strictObject({ output: z.int().min(0).max(31), wire: wireDescriptionSchema }),
  ],
  { error: 'must be one of led, text, buzzer: true, output' },
);
const osdpInput = z.union(
  [
    z.strictObject({
      input: z.int().min(0).max(31),
      active: z.enum(['on', 'off']).default('on'),
      wire: wireDescriptionSchema,
    }),
    z.strictObject({ tamper: z.literal(true), wire: wireDescriptionSchema }),
    z.strictObject({ power_failed: z.literal(true), wire: wireDescriptionSchema }),
  ],
  { error: 'must be one of input, tamper: true, power_failed: true' },
);
const osdpReader = z.strictObject({
  address: z.int().min(0).max(126),
  /** The number of the reader inside its peripheral: 1 for the second reader of a module with two readers. */
  reader_number: z.int().min(0).max(3).default(0),
  /**
   * `pair`: assigns a key to a reader without one. `paired`: the reader already has a key. `plain`: unencrypted, so that
   * anyone with access to the wires can open the door.
   */
  security: z.enum(['pair', 'paired', 'plain']).default('pair'),
  /** False for old readers that support only the checksum of one byte, which detects less damage. */
  crc: z.boolean().default(true),
  /** Formats of card numbers. Uids of 32, 56 and 80 bits are always recognized. */
  formats: wiegandFormatsSchema.default([26, 34, 37]),
  /** For readers that send the bytes of a uid in reverse order. */
  reversed: z.boolean().default(false),
  outputs: createRecordByPartNameSchema(osdpOutput),
  inputs: createRecordByPartNameSchema(osdpInput),
  wire: wireDescriptionSchema,
});

export type OsdpReaderEntry = z.infer<typeof osdpReader>;

/** Readers of one peripheral share its session and its line settings. */
const PERIPHERAL_FIELDS = ['security', 'crc'] as const;

export const osdpSettings = z
  .strictObject({
    port: serialPortSchema,
    baud_rate: createBaudRateSchema(9600),
    readers: createRecordByPartNameSchema(osdpReader),
  })
  .check(({ value: { readers }, issues }) => {
    const seen: (readonly [name: string, reader: OsdpReaderEntry])[] = [];
    for (const [name, reader] of Object.entries(readers)) {
      const report = (field: keyof OsdpReaderEntry, message: string): void => {
        issues.push({ code: 'custom', input: reader[field], path: ['readers', name, field], message });
      };
      const { address, reader_number } = reader;
      const atAddress = seen.filter(([, other]) => other.address === address);
      const same = atAddress.find(([, other]) => other.reader_number === reader_number);
      if (same !== undefined)
        report(
          'address',
          `address ${address} with reader_number ${reader_number} is already used by ${same[0]} of this bus`,
        );
      const [first] = atAddress;
      if (first !== undefined && same === undefined)
        for (const field of PERIPHERAL_FIELDS)
          if (reader[field] !== first[1][field])
            report(field, `must be ${first[1][field]} as for ${first[0]}, which has the same address`);
      seen.push([name, reader]);
    }
  });
export type OsdpSettings = z.output<typeof osdpSettings>;
