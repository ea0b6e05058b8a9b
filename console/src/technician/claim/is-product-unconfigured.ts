/** Whether the controller has no hardware profile yet. */
export const isProductUnconfigured = (product: string | undefined): boolean => product === 'unconfigured';
