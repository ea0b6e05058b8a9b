/** Where the package of a product has its program, and where what comes after it is kept. */
export interface ProductPlaces {
  readonly releases: string;
  readonly package: string;
  readonly keys: string;
}

/** Each has places of its own: both may be installed on one machine. */
export const productPlaces = {
  controller: {
    releases: '/var/lib/lintel-releases',
    package: '/usr/lib/lintel-controller',
    keys: '/etc/lintel/release-keys',
  },
  gateway: {
    releases: '/var/lib/lintel-gateway-releases',
    package: '/usr/lib/lintel-gateway',
    keys: '/etc/lintel/gateway-release-keys',
  },
} as const satisfies Readonly<Record<string, ProductPlaces>>;

export type UpdatedProduct = keyof typeof productPlaces;

export const isUpdatedProduct = (name: string): name is UpdatedProduct => Object.hasOwn(productPlaces, name);
