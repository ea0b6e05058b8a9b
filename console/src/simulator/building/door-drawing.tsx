import type { SimulatedDoorState } from '@lintel/wire-protocol/simulator/door-state';
import type { DoorAppearance } from './describe-simulated-door-and-keypad.ts';

type DoorType = 'glass' | 'roller' | 'wood';

const doorTypeOf = ({ name }: SimulatedDoorState): DoorType => {
  if (/garage/i.test(name)) return 'roller';
  return /front/i.test(name) ? 'glass' : 'wood';
};

const Roller = ({ width }: { readonly width: number }) => (
  <g>
    <rect class="panel" width={width} height="144" />
    {[0, 1, 2, 3, 4, 5].map(row => (
      <rect key={row} class="relief" x="5" y={row * 24 + 3} width={width - 10} height="18" rx="2" />
    ))}
    <rect class="handle" x={width / 2 - 12} y="136" width="24" height="4" rx="2" />
  </g>
);

const Handle = () => (
  <g>
    <circle class="handle" cx="63" cy="78" r="3.4" />
    <rect class="handle" x="50" y="76.4" width="14" height="3.2" rx="1.6" />
  </g>
);

const Glass = () => (
  <g>
    <rect class="panel" width="72" height="144" />
    <rect class="glass" x="10" y="10" width="52" height="92" rx="2" />
    <path class="gleam" d="M14 60 46 12h10L14 76z" />
    <path class="muntin" d="M36 10v92M10 56h52" />
    <rect class="relief" x="10" y="110" width="52" height="24" rx="2" />
    <rect class="handle" x="64" y="58" width="3.4" height="42" rx="1.7" />
  </g>
);

const Wood = ({ plate }: { readonly plate: string }) => (
  <g>
    <rect class="panel" width="72" height="144" />
    <rect class="relief" x="10" y="34" width="52" height="32" rx="2" />
    <rect class="relief" x="10" y="90" width="52" height="44" rx="2" />
    <rect class="plate" x="20" y="11" width="32" height="15" rx="3" />
    <text class="number" x="36" y="22.4" text-anchor="middle">
      {plate}
    </text>
    <Handle />
  </g>
);

interface LeafProps {
  readonly type: DoorType;
  readonly plate: string;
  readonly width: number;
}

const Leaf = ({ type, plate, width }: LeafProps) => (
  <svg class="leaf" viewBox={`0 0 ${width} 144`}>
    {type === 'roller' ? <Roller width={width} /> : type === 'glass' ? <Glass /> : <Wood plate={plate} />}
    <rect class="bolt" x={width - 5} y="88" width="8" height="5" rx="1" />
  </svg>
);

const Tree = ({ x }: { readonly x: number }) => (
  <g transform={`translate(${x} 184)`}>
    <path class="stem" d="M0-14V-52" />
    <circle class="leaves" cy="-62" r="15" />
    <circle class="leaves" cx="-3" cy="-66" r="9" />
    <path class="pot" d="M-11-20h22L8 2H-8z" />
  </g>
);

const Room = ({ isHeld, width }: { readonly isHeld: boolean; readonly width: number }) => (
  <svg class="inside" viewBox={`0 0 ${width} 144`}>
    <rect class="glow" width={width} height="144" />
    <path class="far-floor" d={`M0 144h${width}l-14-26H14z`} />
    <path class="far-wall" d={`M14 118h${width - 28}M14 0v118L0 144M${width - 14} 0v118l14 26`} />
    <circle class="lamp-glow" cx={width / 2} cy="32" r="26" />
    <path class="lamp-cord" d={`M${width / 2} 0v24`} />
    <path class="lamp" d={`M${width / 2 - 8} 33c0-6 3.6-9 8-9s8 3 8 9z`} />
    {isHeld ? (
      <g class="silhouette" transform={`translate(${width / 2 - 36})`}>
        <circle cx="38" cy="58" r="9" />
        <path d="M24 144V92c0-12 6-19 14-19s14 7 14 19v52z" />
      </g>
    ) : null}
  </svg>
);

export const DoorDrawing = ({
  door,
  appearance,
}: {
  readonly door: SimulatedDoorState;
  readonly appearance: DoorAppearance;
}) => {
  const type = doorTypeOf(door);
  const width = type === 'roller' ? 128 : 72;
  const totalWidth = width + 48;
  return (
    <span
      class="drawing"
      data-type={type}
      data-appearance={appearance}
      data-is-open={door.leaf === 'open' ? '' : undefined}
      data-is-unlocked={door.is_unlocked ? '' : undefined}
      aria-hidden="true"
      style={{ '--total-width': String(totalWidth) }}
    >
      <svg class="frame" viewBox={`0 0 ${totalWidth} 190`}>
        <path class="halo" d={`M${totalWidth / 2 - 15} 19 24 32h${totalWidth - 48}L${totalWidth / 2 + 15} 19z`} />
        {type === 'glass' ? [-6, totalWidth + 6].map(x => <Tree key={x} x={x} />) : null}
        <rect class="jamb" x="17" y="30" width={width + 14} height="154" rx="2" />
        <rect class="fitting" x={totalWidth / 2 - 18} y="13" width="36" height="9" rx="4.5" />
        <rect class="light" x={totalWidth / 2 - 15} y="15" width="30" height="5" rx="2.5" />
        <path class="spill" d={`M24 184h${width}l12 11H12z`} />
        <rect class="strike" x={width + 25} y="119" width="4" height="17" rx="1" />
      </svg>
      <span class="opening">
        <Room isHeld={door.is_held && door.leaf === 'open'} width={width} />
        <Leaf type={type} plate={door.code ?? ''} width={width} />
      </span>
    </span>
  );
};
