/** Folders of an installed product. */
export interface ProductPaths {
  readonly releases: string;
  /** The program that the Debian package installed. */
  readonly package: string;
  readonly keys: string;
}

/** Separate, because both products may be installed on one machine. */
export const productPaths = {
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
} as const satisfies Readonly<Record<string, ProductPaths>>;

export type UpdatableProduct = keyof typeof productPaths;

export const isUpdatableProduct = (name: string): name is UpdatableProduct => Object.hasOwn(productPaths, name);
