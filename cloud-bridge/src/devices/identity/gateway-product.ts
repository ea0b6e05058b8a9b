/** A site gateway carries what the devices of its site say, and serves them under TLS with its own certificate. */
export const isGateway = ({ product_id }: { readonly product_id: string }): boolean => product_id === 'gateway';
