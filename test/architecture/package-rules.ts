/** What each package and program may import. `npm`: allowed npm packages; absent means any that it declares. */
export interface Layer {
  readonly folder: string;
  readonly imports: readonly string[];
  readonly npm?: readonly string[];
  /** False for code that also runs in a browser. */
  readonly node: boolean;
}

const libraries = [
  'access-core',
  'wire-protocol',
  'service',
  'crypto',
  'broker',
  'device-link',
  'updates',
  'drivers',
  'packaging',
  'hardware-profiles',
];
const programs = ['device-runtime', 'gateway', 'cloud-bridge'];

/** Lowest first. */
export const packageRules: Readonly<Record<string, Layer>> = {
  'access-core': { folder: 'packages/access-core', imports: [], npm: [], node: false },
  client: { folder: 'packages/client', imports: [], npm: [], node: false },
  'wire-protocol': { folder: 'packages/wire-protocol', imports: ['access-core'], npm: ['zod'], node: false },
  'member-sdk': { folder: 'packages/member-sdk', imports: ['access-core', 'wire-protocol'], npm: [], node: false },
  pcsclite: { folder: 'packages/pcsclite', imports: [], npm: ['koffi'], node: true },
  service: { folder: 'packages/service', imports: ['access-core'], node: true },
  crypto: { folder: 'packages/crypto', imports: ['access-core', 'wire-protocol', 'service'], node: true },
  broker: { folder: 'packages/broker', imports: ['access-core', 'wire-protocol', 'service', 'crypto'], node: true },
  'device-link': {
    folder: 'packages/device-link',
    imports: ['access-core', 'wire-protocol', 'service', 'crypto'],
    node: true,
  },
  updates: {
    folder: 'packages/updates',
    imports: ['access-core', 'wire-protocol', 'service', 'crypto', 'device-link'],
    node: true,
  },
  drivers: {
    folder: 'packages/drivers',
    imports: ['access-core', 'wire-protocol', 'service', 'crypto', 'device-link', 'pcsclite'],
    node: true,
  },
  'hardware-profiles': { folder: 'hardware-profiles', imports: ['drivers'], npm: ['zod'], node: true },
  packaging: {
    folder: 'packages/packaging',
    imports: [
      'access-core',
      'wire-protocol',
      'service',
      'crypto',
      'device-link',
      'updates',
      'drivers',
      'hardware-profiles',
    ],
    node: true,
  },
  'device-runtime': { folder: 'device-runtime', imports: libraries, node: true },
  gateway: { folder: 'gateway', imports: libraries, node: true },
  'cloud-bridge': { folder: 'cloud-bridge', imports: libraries, node: true },
  console: { folder: 'console', imports: ['access-core', 'wire-protocol', 'member-sdk'], node: false },
  simulator: { folder: 'simulator', imports: [...libraries, ...programs, 'member-sdk'], node: true },
  cli: { folder: 'cli', imports: [...libraries, ...programs, 'simulator'], node: true },
};
