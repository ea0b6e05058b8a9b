/** A board of which nobody has said yet what hangs on it. */
export const isBare = (product: string | undefined): boolean => product === 'unconfigured';
