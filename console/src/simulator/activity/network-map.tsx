import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type { SimulatedLinkMode, SimulatedLinkState } from '@lintel/wire-protocol/simulator/network-links';
import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type EventHopName, eventHopNames } from './event-hops.ts';

type Leg = 'corridor-gateway' | 'gateway-bridge' | 'front-bridge' | 'bridge-webhook';

const paths: Readonly<Record<Leg, string>> = {
  'corridor-gateway': 'M92 26H144',
  'gateway-bridge': 'M212 26H264',
  'front-bridge': 'M92 76H236Q254 76 262 60L276 41',
  'bridge-webhook': 'M316 26H354',
};

const legs = Object.keys(paths) as readonly Leg[];
const ACTIVE_MS = 1200;

const legTo = (stop: EventHopName, { passes_gateway }: SimulatorActivityEntry): Leg | null => {
  switch (stop) {
    case 'door':
      return null;
    case 'gateway':
      return 'corridor-gateway';
    case 'bridge':
      return passes_gateway ? 'gateway-bridge' : 'front-bridge';
    case 'webhook':
      return 'bridge-webhook';
  }
};

/** The connections that have just carried an event. */
const useActiveLegs = (events: readonly SimulatorActivityEntry[]): ReadonlySet<Leg> => {
  const known = useRef<ReadonlyMap<string, SimulatorActivityEntry> | null>(null);
  const [active, setActive] = useState<ReadonlySet<Leg>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(events.map(event => [event.id, event]));
    if (before === null) return;
    const passed = events.flatMap(event =>
      eventHopNames.flatMap(stop => {
        const isNew = event.way[stop] !== null && (before.get(event.id)?.way[stop] ?? null) === null;
        return isNew ? (legTo(stop, event) ?? []) : [];
      }),
    );
    if (passed.length > 0) setActive(now => new Set([...now, ...passed]));
  }, [events]);
  useEffect(() => {
    if (active.size === 0) return;
    const timer = setTimeout(() => setActive(new Set()), ACTIVE_MS);
    return () => clearTimeout(timer);
  }, [active]);
  return active;
};

const modeText: Readonly<Record<SimulatedLinkMode, string>> = {
  up: 'working',
  slow: 'slow',
  half_open: 'stalled',
  cut: 'cut',
};

const describeLinks = (lines: readonly SimulatedLinkState[]): string =>
  lines.map(({ from, to, mode }) => `${from} to ${to}: ${modeText[mode]}`).join('; ');

interface NodeProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly name: string;
  readonly count?: number;
  readonly isOff?: boolean;
}

const NetworkNode = ({ x, y, width, name, count = 0, isOff = false }: NodeProps) => (
  <g class="node" data-is-off={isOff ? '' : undefined}>
    <rect x={x} y={y} width={width} height="32" rx="9" />
    <text x={x + width / 2} y={y + 20.5} text-anchor="middle">
      {name}
    </text>
    {count > 0 ? (
      <g class="count">
        <circle cx={x + width - 3} cy={y + 2} r="9" />
        <text x={x + width - 3} y={y + 5.6} text-anchor="middle">
          {count > 99 ? '99' : count}
        </text>
      </g>
    ) : null}
  </g>
);

/** Highlights a connection when an event passes, and shows the number of queued events at each device. */
export const NetworkMap = ({ world }: { readonly world: SimulatorState }) => {
  const active = useActiveLegs(world.activity);
  const modeOf = (leg: Leg): SimulatedLinkMode => world.lines.find(({ key }) => key === leg)?.mode ?? 'up';
  const [front, corridor] = (['bridge', 'gateway'] as const).map(end =>
    world.controllers.find(({ upstream }) => upstream === end),
  );
  return (
    <svg
      class="network-map card"
      viewBox="0 0 436 102"
      role="img"
      aria-label={`Connections. ${describeLinks(world.lines)}.`}
    >
      {legs.map(leg => (
        <g
          key={leg}
          class="leg"
          data-leg={leg}
          data-mode={modeOf(leg)}
          data-is-active={active.has(leg) ? '' : undefined}
        >
          <path class="wire" d={paths[leg]} />
          <path class="pulse" d={paths[leg]} pathLength="100" />
        </g>
      ))}
      <NetworkNode
        x={10}
        y={10}
        width={82}
        name={corridor?.name ?? ''}
        count={corridor?.waiting_events ?? 0}
        isOff={corridor?.power === 'off'}
      />
      <NetworkNode x={144} y={10} width={68} name="Gateway" />
      <NetworkNode x={264} y={10} width={52} name="Bridge" />
      <NetworkNode x={354} y={10} width={72} name="Webhook" />
      <NetworkNode
        x={10}
        y={60}
        width={82}
        name={front?.name ?? ''}
        count={front?.waiting_events ?? 0}
        isOff={front?.power === 'off'}
      />
    </svg>
  );
};
