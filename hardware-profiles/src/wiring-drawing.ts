import type { Profile } from './check-profile.ts';
import type { WiringRowKind, WiringRow } from '@lintel/drivers/definition';
import { type WiringGroup, buildWiringGroups } from './wiring-groups.ts';

const WIDTH = 960;
const ROW = 26;
const GROUP_GAP = 48;
const TOP = 72;
/** Height of the box title above the first wire. */
const LABEL = 30;
/** Horizontal positions of the controller box, the part box and the part names. */
const CONTROLLER = { left: 24, right: 268 } as const;
const PART = { left: 400, right: 936 } as const;
const NAME_AT = 922;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The colors are distinguishable on light and dark backgrounds. The dash pattern repeats the kind for color-blind readers. */
const STYLE = `
    .paper { fill: #ffffff; } .box { fill: #f4f6f8; stroke: #8a939c; } .ink { fill: #1b1f24; } .soft { fill: #59636e; }
    .wire { fill: none; stroke-width: 3; stroke-linecap: round; }
    .output { stroke: #c2410c; } .input { stroke: #1d6fd1; } .supply { stroke: #57606a; }
    .data { stroke: #15803d; } .plug { stroke: #7c3aed; }
    .input { stroke-dasharray: 9 6; } .supply { stroke-dasharray: 2 6; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; } .box { fill: #161b22; stroke: #6e7681; } .ink { fill: #e6edf3; } .soft { fill: #9ea7b3; }
      .output { stroke: #ff9a5c; } .input { stroke: #6cb6ff; } .supply { stroke: #9ea7b3; }
      .data { stroke: #56d364; } .plug { stroke: #c297ff; }
    }`;

const text = (
  x: number,
  y: number,
  content: string,
  { size = 14, cssClass = 'ink', end = false, bold = false } = {},
): string =>
  `<text x="${x}" y="${y}" font-size="${size}" class="${cssClass}"${end ? ' text-anchor="end"' : ''}${bold ? ' font-weight="600"' : ''}>${escaped(content)}</text>`;

const drawRow = ({ kind, from, to, name }: WiringRow, y: number): string[] => [
  text(CONTROLLER.right - 14, y + 5, from, { end: true }),
  `<circle cx="${CONTROLLER.right}" cy="${y}" r="4" class="ink"/>`,
  `<path d="M${CONTROLLER.right + 6} ${y} H${PART.left - 6}" class="wire ${kind}"/>`,
  `<circle cx="${PART.left}" cy="${y}" r="4" class="ink"/>`,
  text(PART.left + 14, y + 5, to),
  ...(name === '' ? [] : [text(NAME_AT, y + 5, name, { size: 12, cssClass: 'soft', end: true })]),
];

const heightOf = ({ rows }: WiringGroup): number => rows.length * ROW + 20;

const drawGroup = (group: WiringGroup, top: number): string[] => [
  text(PART.left, top - 8, group.title, { size: 13, cssClass: 'soft', bold: true }),
  `<rect x="${PART.left}" y="${top}" width="${PART.right - PART.left}" height="${heightOf(group)}" rx="8" class="box"/>`,
  ...group.rows.flatMap((row, index) => drawRow(row, top + 10 + ROW * index + ROW / 2)),
];

const kinds: Readonly<Record<WiringRowKind, string>> = {
  output: 'switched',
  input: 'read',
  data: 'data',
  plug: 'plug',
  supply: 'supply and ground',
};

const drawLegend = (used: ReadonlySet<WiringRowKind>, y: number): string[] =>
  (Object.keys(kinds) as WiringRowKind[])
    .filter(kind => used.has(kind))
    .flatMap((kind, index) => {
      const x = CONTROLLER.left + index * 130;
      return [
        `<path d="M${x} ${y} h28" class="wire ${kind}"/>`,
        text(x + 36, y + 4, kinds[kind], { size: 12, cssClass: 'soft' }),
      ];
    });

const controllerName = ({ product_id, name }: Profile): string => {
  if (product_id.startsWith('rpi-')) return 'Raspberry Pi';
  return product_id === 'usb-only' ? 'Linux computer' : name;
};

/** The box at the start of the wires: the controller or one of its boards. */
const drawSource = (name: string, top: number, bottom: number): string[] => [
  `<rect x="${CONTROLLER.left}" y="${top}" width="${CONTROLLER.right - CONTROLLER.left}" height="${bottom - top}" rx="8" class="box"/>`,
  text(CONTROLLER.left + 14, top + 24, name, { bold: true }),
];

interface PlacedGroup {
  readonly group: WiringGroup;
  readonly top: number;
  readonly bottom: number;
}

const placeGroups = (groups: readonly WiringGroup[]): readonly PlacedGroup[] => {
  let y = TOP + LABEL;
  return groups.map(group => {
    const top = y;
    const bottom = top + heightOf(group);
    y = bottom + GROUP_GAP;
    return { group, top, bottom };
  });
};

/** Draws the wiring of a profile as an SVG for light and dark backgrounds. */
export const drawWiring = (profile: Profile): string => {
  const places = placeGroups(buildWiringGroups(profile));
  const own = places.filter(({ group }) => group.board === null);
  const boards = places.filter(({ group }) => group.board !== null);
  const bottom = Math.max(...places.map(place => place.bottom));
  const height = bottom + 60;
  const used = new Set(places.flatMap(({ group }) => group.rows.map(({ kind }) => kind)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" role="img" aria-label="${escaped(`Wiring of ${profile.name}`)}">`,
    `<style>${STYLE}\n  </style>`,
    `<rect width="${WIDTH}" height="${height}" class="paper"/>`,
    text(CONTROLLER.left, 40, profile.name, { size: 20, bold: true }),
    ...drawSource(controllerName(profile), TOP, Math.max(...own.map(place => place.bottom))),
    ...boards.flatMap(place => drawSource(place.group.board ?? '', place.top - LABEL + 8, place.bottom)),
    ...places.flatMap(({ group, top }) => drawGroup(group, top)),
    ...drawLegend(used, bottom + 36),
    '</svg>',
    '',
  ].join('\n');
};
