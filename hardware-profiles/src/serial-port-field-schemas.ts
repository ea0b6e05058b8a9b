import * as z from 'zod';

/** A stable device path or the USB ids of the adapter. `/dev/ttyUSB0` can change between boots. */
export const serialPortSchema = z.union(
  [
    z.strictObject({
      path: z
        .string()
        .max(200)
        .regex(/^(?:\/[\w.:+@-]+)+$/, { error: 'must be an absolute path, such as /dev/serial/by-id/usb-…' })
        .refine(path => !path.split('/').includes('..'), { error: 'must not contain ..' }),
    }),
    z.strictObject({
      usb: z.string().regex(/^[0-9a-f]{4}:[0-9a-f]{4}$/, { error: 'must be vendor:product, such as 1a86:7523' }),
      serial: z.string().min(1).max(100).optional(),
    }),
  ],
  { error: 'must have "path", or "usb" with the ids of the adapter' },
);
export type SerialPortChoice = z.infer<typeof serialPortSchema>;

export const createBaudRateSchema = (defaultRate: number) =>
  z
    .literal([1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200], { error: 'must be a standard baud rate' })
    .default(defaultRate as 9600);
export const paritySchema = z.enum(['none', 'even', 'odd']).default('none');
