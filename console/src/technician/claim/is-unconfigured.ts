/** Whether the controller has no hardware profile yet. */
export const isUnconfigured = (product: string | undefined): boolean => product === 'unconfigured';
