import { SeededRandom } from '../../../support/seeded-random.ts';

/** One fault of a round. Everything about it follows from the seed. */
export interface InjectedFault {
  /** Milliseconds after the start of the round. */
  readonly at: number;
  readonly kind: CampaignFaultKind;
  /** A controller by number, `gateway`, `bridge`, or the name of a link. */
  readonly target: string;
  readonly duration_ms: number;
  /** Selects a file, a position or a clock step. From 0 to 1. */
  readonly choice: number;
}

/** The parts and links of the system under test. */
export interface FaultTargets {
  readonly controllers: readonly string[];
  readonly links: readonly string[];
  /** False without the right to mount a small disk. */
  readonly hasSmallDisks: boolean;
  readonly hasPostgres: boolean;
}

interface FaultDefinition {
  readonly weight: number;
  readonly longest_ms: number;
  readonly targets: (targets: FaultTargets) => readonly string[];
}

const links = ({ links }: FaultTargets): readonly string[] => links;
const controllers = ({ controllers }: FaultTargets): readonly string[] => controllers;
const only = (name: string) => (): readonly string[] => [name];

const definitions = {
  link_reset: { weight: 20, longest_ms: 0, targets: links },
  link_cut: { weight: 20, longest_ms: 1500, targets: links },
  link_half_open: { weight: 12, longest_ms: 2000, targets: links },
  link_slow: { weight: 14, longest_ms: 2000, targets: links },
  controller_kill: { weight: 8, longest_ms: 500, targets: controllers },
  gateway_kill: { weight: 1.5, longest_ms: 1000, targets: only('gateway') },
  bridge_kill: { weight: 1, longest_ms: 1000, targets: only('bridge') },
  disk_full: {
    weight: 5,
    longest_ms: 2000,
    targets: ({ hasSmallDisks, controllers }) => (hasSmallDisks ? [...controllers, 'gateway', 'bridge'] : []),
  },
  read_error: { weight: 1, longest_ms: 1000, targets: controllers },
  file_truncated: { weight: 1.5, longest_ms: 0, targets: ({ controllers }) => [...controllers, 'gateway'] },
  file_torn: { weight: 1.5, longest_ms: 0, targets: ({ controllers }) => [...controllers, 'gateway'] },
  clock_step: { weight: 8, longest_ms: 3000, targets: controllers },
  certificate_expiry: { weight: 1.5, longest_ms: 0, targets: controllers },
  database_restart: {
    weight: 0.7,
    longest_ms: 500,
    targets: ({ hasPostgres }) => (hasPostgres ? ['database'] : []),
  },
  database_locked: {
    weight: 1,
    longest_ms: 1500,
    targets: ({ hasPostgres }) => (hasPostgres ? [] : ['database']),
  },
  webhook_errors: { weight: 3, longest_ms: 1500, targets: only('webhooks') },
} as const satisfies Readonly<Record<string, FaultDefinition>>;

export type CampaignFaultKind = keyof typeof definitions;

const kinds = Object.entries(definitions) as readonly (readonly [CampaignFaultKind, FaultDefinition])[];

const pickKind = (random: SeededRandom, targets: FaultTargets): readonly [CampaignFaultKind, FaultDefinition] => {
  const possible = kinds.filter(([, definition]) => definition.targets(targets).length > 0);
  let rest = random.next() * possible.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const entry of possible) {
    rest -= entry[1].weight;
    if (rest < 0) return entry;
  }
  return possible[0]!;
};

/** The faults of a round, in the order of their time. */
export const createFaultSchedule = (
  seed: number,
  targets: FaultTargets,
  count: number,
  interval_ms: number,
): readonly InjectedFault[] => {
  const random = new SeededRandom(seed);
  const faults: InjectedFault[] = [];
  for (let index = 0; index < count; index++) {
    const at = Math.round((index + random.next()) * interval_ms);
    const [kind, definition] = pickKind(random, targets);
    const target = random.pick(definition.targets(targets));
    const duration_ms = Math.round(random.next() * definition.longest_ms);
    faults.push({ at, kind, target, duration_ms, choice: random.next() });
  }
  return faults;
};
