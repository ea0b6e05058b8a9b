/** Reported to the user by its message alone, without a stack trace. */
export class BridgeCommandError extends Error {}

/** A readable error if the port cannot be opened; null for other errors. */
export const toPortError = (error: unknown): BridgeCommandError | null => {
  const { code, address, port } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
  };
  const endpoint = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE')
    return new BridgeCommandError(`${endpoint} is in use by another process. Choose another port.`);
  if (code === 'EACCES')
    return new BridgeCommandError(`${endpoint} requires root privileges. Choose a port above 1023.`);
  if (code === 'EADDRNOTAVAIL') return new BridgeCommandError(`${endpoint} is not an address of this machine.`);
  return null;
};
