import type { Happening } from '@lintel/wire-protocol/simulator/happening';
import type { LineMode, LineState } from '@lintel/wire-protocol/simulator/switches';
import type { World } from '@lintel/wire-protocol/simulator/world';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Stop, stops } from './way-words.ts';

/** A way of an event, from the drawing's left to its right. */
type Leg = 'corridor-gateway' | 'gateway-bridge' | 'front-bridge' | 'bridge-webhook';

const paths: Readonly<Record<Leg, string>> = {
  'corridor-gateway': 'M92 26H148',
  'gateway-bridge': 'M208 26H264',
  'front-bridge': 'M92 76H236Q254 76 262 60L276 41',
  'bridge-webhook': 'M316 26H354',
};

const legs = Object.keys(paths) as readonly Leg[];
const LIT_MS = 1200;

const legTo = (stop: Stop, { passes_gateway }: Happening): Leg | null => {
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

/** Where events have just passed. */
const useLitLegs = (happenings: readonly Happening[]): ReadonlySet<Leg> => {
  const known = useRef<ReadonlyMap<string, Happening> | null>(null);
  const [lit, setLit] = useState<ReadonlySet<Leg>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(happenings.map(happening => [happening.id, happening]));
    if (before === null) return;
    const passed = happenings.flatMap(happening =>
      stops.flatMap(stop => {
        const isNew = happening.way[stop] !== null && (before.get(happening.id)?.way[stop] ?? null) === null;
        return isNew ? (legTo(stop, happening) ?? []) : [];
      }),
    );
    if (passed.length > 0) setLit(now => new Set([...now, ...passed]));
  }, [happenings]);
  useEffect(() => {
    if (lit.size === 0) return;
    const timer = setTimeout(() => setLit(new Set()), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
};

const modeWords: Readonly<Record<LineMode, string>> = {
  up: 'up',
  slow: 'slow',
  half_open: 'dead but not closed',
  cut: 'cut',
};

const lineWords = (lines: readonly LineState[]): string =>
  lines.map(({ from, to, mode }) => `${from} to ${to}: ${modeWords[mode]}`).join('; ');

interface PlaceProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly name: string;
  readonly count?: number;
  readonly isOff?: boolean;
}

const Place = ({ x, y, width, name, count = 0, isOff = false }: PlaceProps) => (
  <g class="place" data-is-off={isOff ? '' : undefined}>
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

/** The parts and the lines between them; a leg lights up when an event passes, a part counts what waits in it. */
export const WayMap = ({ world }: { readonly world: World }) => {
  const lit = useLitLegs(world.happenings);
  const modeOf = (leg: Leg): LineMode => world.lines.find(({ key }) => key === leg)?.mode ?? 'up';
  const [front, corridor] = (['bridge', 'gateway'] as const).map(end =>
    world.controllers.find(({ upstream }) => upstream === end),
  );
  return (
    <svg class="way-map card" viewBox="0 0 436 102" role="img" aria-label={`Lines. ${lineWords(world.lines)}.`}>
      {legs.map(leg => (
        <g key={leg} class="leg" data-leg={leg} data-mode={modeOf(leg)} data-is-lit={lit.has(leg) ? '' : undefined}>
          <path class="wire" d={paths[leg]} />
          <path class="pulse" d={paths[leg]} pathLength="100" />
        </g>
      ))}
      <Place
        x={10}
        y={10}
        width={82}
        name={corridor?.name ?? ''}
        count={corridor?.waiting_events ?? 0}
        isOff={corridor?.power === 'off'}
      />
      <Place x={148} y={10} width={60} name="Gateway" count={world.gateway.waiting_events} />
      <Place x={264} y={10} width={52} name="Bridge" />
      <Place x={354} y={10} width={72} name="Webhook" />
      <Place
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
