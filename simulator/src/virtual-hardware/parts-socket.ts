import { type TextLineSocketClient, openTextLineSocket } from './json-lines-socket.ts';
import { parseSimulatedPartsCommand } from './parse-parts-command.ts';
import type { SimulatedParts } from './simulated-parts.ts';

/** Opens a socket through which other programs of this user operate and watch the parts. */
export const openSimulatedPartsSocket = async (
  path: string,
  parts: SimulatedParts,
): Promise<{ close(): Promise<void> }> => {
  const clients = new Set<TextLineSocketClient>();
  parts.outputs.onChange(({ output, on }) => {
    for (const client of clients) client.send({ output, on });
  });
  return openTextLineSocket(path, client => {
    clients.add(client);
    client.send(parts.describe());
    return {
      respond: async line => {
        const command = parseSimulatedPartsCommand(line);
        const problem = typeof command === 'string' ? command : await parts.execute(command);
        return problem === null ? { done: true } : { error: problem };
      },
      onClose: () => clients.delete(client),
    };
  });
};
