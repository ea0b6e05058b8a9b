const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process.',
  EADDRNOTAVAIL: 'is not an address of this machine.',
  EACCES: 'is not permitted for this user. Ports below 1024 need a privilege.',
  ENOTFOUND: 'is not a known host name.',
};

const explain = (address: string, error: NodeJS.ErrnoException): string => {
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? `Cannot listen on ${address}: ${error.message}` : `${address} ${reason}`;
};

/** Throws an error that names the address when listening fails. */
export const rethrowListenErrorWithAddress = async <T>(
  host: string,
  port: number,
  listening: Promise<T>,
): Promise<T> => {
  try {
    return await listening;
  } catch (error) {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    throw new Error(explain(address, error as NodeJS.ErrnoException), { cause: error });
  }
};
