const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: another process listens there.',
  EADDRNOTAVAIL: 'is no address of this machine.',
  EACCES: 'may not be used by this user; ports below 1024 take a right of their own.',
  ENOTFOUND: 'is no name that this machine knows.',
};

/** One sentence for whoever started the gateway. */
const sentenceFor = (place: string, error: NodeJS.ErrnoException): string => {
  const reason = reasons[error.code ?? ''];
  return reason === undefined ? `${place} cannot be listened on: ${error.message}` : `${place} ${reason}`;
};

/** Waits until it listens; a failure names the place. */
export const listeningAt = async <T>(host: string, port: number, listening: Promise<T>): Promise<T> => {
  try {
    return await listening;
  } catch (error) {
    const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    throw new Error(sentenceFor(place, error as NodeJS.ErrnoException), { cause: error });
  }
};
