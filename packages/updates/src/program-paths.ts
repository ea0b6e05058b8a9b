/** Folders of an installed product. */
export interface ProgramPaths {
  readonly releases: string;
  /** The program that the Debian package installed. */
  readonly package: string;
  readonly keys: string;
}

/** Separate, because both products may be installed on one machine. */
export const programPaths = {
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
} as const satisfies Readonly<Record<string, ProgramPaths>>;

export type UpdatableProgramName = keyof typeof programPaths;

export const isUpdatableProgramName = (name: string): name is UpdatableProgramName => Object.hasOwn(programPaths, name);
