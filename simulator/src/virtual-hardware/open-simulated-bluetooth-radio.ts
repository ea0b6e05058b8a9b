import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenedRadio } from '@lintel/drivers/definition';
import type { BluetoothRadioContext } from '@lintel/drivers/definition';
import * as z from 'zod';
import { openTextLineSocket } from './json-lines-socket.ts';
import { SimulatedRadio } from './simulated-bluetooth-radio.ts';

const hex = z.string().regex(/^(?:[0-9a-f]{2}){1,512}$/);

/** A phone connects with its signal strength, then writes fragments and reads the responses. */
const radioCommand = z.union([
  z.strictObject({ rssi: z.int().min(-127).max(20) }),
  z.strictObject({ write: hex }),
  z.strictObject({ read: z.literal(true) }),
]);

const parse = (line: string): z.infer<typeof radioCommand> | null => {
  try {
    return radioCommand.parse(JSON.parse(line));
  } catch {
    return null;
  }
};

/** Opens a radio whose phones are other programs of this user. Each client of its socket is one phone. */
export const openSimulatedRadio = async (context: BluetoothRadioContext): Promise<OpenedRadio> => {
  const { dataDir, log } = context;
  const radio = new SimulatedRadio(context);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'radio.sock');
  let count = 0;
  const socket = await openTextLineSocket(path, () => {
    count += 1;
    const phone = `phone-${count}`;
    let link: ReturnType<SimulatedRadio['connect']> | null = null;
    return {
      respond: async line => {
        const command = parse(line);
        if (command === null) return { error: 'must be one of {"rssi"}, {"write"}, {"read"}' };
        if ('rssi' in command) link = radio.connect(phone, command.rssi);
        if (link === null) return { error: 'not connected: send {"rssi"} first' };
        if ('read' in command) return { value: Buffer.from(await link.read()).toString('hex') };
        if ('write' in command) await link.write(Buffer.from(command.write, 'hex'));
        return { done: true };
      },
      onClose: () => link?.disconnect(),
    };
  }).catch((error: Error) => {
    log('warn', 'The socket of the simulated radio cannot be opened', { path, reason: error.message });
    return null;
  });
  return { radio, close: async () => socket?.close() };
};
