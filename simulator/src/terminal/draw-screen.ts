import { joinBoxesSideBySide, drawTextBox, fitTextToWidth } from './text-boxes.ts';
import { terminalDemoMemberCredentials } from './local-snapshot-message.ts';
import type { DoorSimulationState } from './door-simulation.ts';

type DoorView = DoorSimulationState['doors'][number];
type StationView = DoorSimulationState['stations'][number];

const paint =
  (code: number) =>
  (text: string): string =>
    `\u001B[${code}m${text}\u001B[0m`;
const [bold, dim, red, green, yellow, inverse] = [paint(1), paint(2), paint(31), paint(32), paint(33), paint(7)];

const KEYPAD_WIDTH = 19;
const READER_WIDTH = 20;
const NARROW = 60;

const keypad = ({ id, hasKeypad, lockedForMs }: StationView): string[] => {
  const locked = lockedForMs > 0 ? red('locked out') : '';
  const rows = hasKeypad ? ['1   2   3', '4   5   6', '7   8   9', '*   0   #'] : ['', dim('no keypad'), '', ''];
  return drawTextBox(`Keypad ${id}`, [...rows.map(row => `  ${row}`), locked], KEYPAD_WIDTH);
};

const lamp = (name: string, isOn: boolean | null, color: (text: string) => string): string =>
  isOn === null ? dim(`  no ${name}`) : isOn ? color(`● ${name}`) : dim(`○ ${name}`);

const reader = ({ hasReader, green: isGreen, red: isRed, buzzer }: StationView): string[] =>
  drawTextBox(
    'Reader',
    [
      hasReader ? '((·)) c to tap' : dim('no reader'),
      lamp('green', isGreen, green),
      lamp('red', isRed, red),
      lamp('buzzer', buzzer, yellow),
      '',
    ],
    READER_WIDTH,
  );

const describeLeaf = ({ isOpen }: DoorView): string => {
  if (isOpen === null) return dim('unknown, no contact');
  return isOpen ? yellow('open') : 'closed';
};

const door = (view: DoorView, width: number): string[] =>
  drawTextBox(
    view.name,
    [
      `lock   ${view.isUnlocked ? green('▯ UNLOCKED') : bold('▮ LOCKED')}`,
      `leaf   ${describeLeaf(view)}`,
      `relay  ${view.strike} ${view.isUnlocked ? green('on') : dim('off')}`,
      `exit   ${view.hasExitButton ? 'button, e' : dim('no button')}`,
      `state  ${view.state}`,
    ],
    width,
  );

const moreDoors = ({ doors, door: selected, others }: DoorSimulationState): string => {
  const rest = doors
    .filter((_, index) => index !== selected)
    .map(({ name, isUnlocked }) => `${name} ${isUnlocked ? 'UNLOCKED' : 'locked'}`);
  return [...rest, ...others.map(({ name, state }) => `${name} ${state}`)].join(' · ');
};

const paintDecision = (decision: string): string => {
  if (decision === '') return dim('no decision yet');
  return decision.startsWith('GRANTED') ? green(decision) : red(decision);
};

const describeEntry = ({ entry: { phase, armed } }: DoorSimulationState): string => {
  if (phase === 'armed') return `rule selected: ${armed}`;
  return phase === 'code' ? 'typing a code' : 'idle';
};

const LABEL_WIDTH = 10;
const MAX_EXPECTED_LINES = 2;

/** Wraps the expected input to two lines. Longer text is truncated. */
const expectedLines = ({ entry: { expected } }: DoorSimulationState, columns: number): string[] => {
  const lines = [''];
  for (const word of expected.split(' ')) {
    const isFull = lines.length < MAX_EXPECTED_LINES && lines.at(-1)!.length + word.length + 1 > columns - LABEL_WIDTH;
    if (isFull) lines.push(word);
    else lines.push(`${lines.pop()!} ${word}`.trimStart());
  }
  return lines.map((line, index) => `${index === 0 ? bold('Expected') : ' '.repeat(LABEL_WIDTH - 2)}  ${line}`);
};

const help = (view: DoorSimulationState): string[] => [
  `0-9 * # · c card · x unknown card · e exit · o open/close · f force · q quit`,
  [view.stations.length > 1 ? 'Tab next station' : '', view.doors.length > 1 ? 'd next door' : '']
    .filter(part => part !== '')
    .join(' · '),
];

const panels = (view: DoorSimulationState, columns: number): string[] => {
  const station = view.stations[view.station];
  const selected = view.doors[view.door];
  const left = station === undefined ? [] : [keypad(station), reader(station)];
  if (columns < NARROW) {
    const lock =
      selected === undefined
        ? 'no door'
        : `${selected.name}: ${selected.isUnlocked ? 'UNLOCKED' : 'locked'}, ${selected.state}`;
    return [lock];
  }
  const room = columns - KEYPAD_WIDTH - READER_WIDTH - 2;
  const right = selected === undefined ? [] : [door(selected, Math.min(room, 44))];
  return joinBoxesSideBySide([...left, ...right]);
};

/** Draws the whole screen: `rows` lines of `columns` characters. */
export const drawTerminalScreen = (
  view: DoorSimulationState,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): string[] => {
  const title = ` Lintel · ${view.product} · ${view.rulesFile === null ? 'no rules file' : view.rulesFile}`;
  const more = moreDoors(view);
  const top = [
    inverse(fitTextToWidth(title, columns)),
    ...panels(view, columns),
    ...(more === '' ? [] : [dim(more)]),
    `${bold('Entry')}     ${describeEntry(view)}${view.entry.typed === '' ? '' : `   ${view.entry.typed}`}`,
    ...expectedLines(view, columns),
    `${bold('Decision')}  ${paintDecision(view.decision)}`,
    ...view.faults.slice(0, 2).map(fault => red(`Fault     ${fault}`)),
  ];
  const bottom = [
    `${terminalDemoMemberCredentials.name}: PIN ${bold(terminalDemoMemberCredentials.pin)}, card ${terminalDemoMemberCredentials.card}, access to everything`,
    ...help(view).filter(line => line !== ''),
  ];
  const room = Math.max(0, rows - top.length - bottom.length - 1);
  const recent = room === 0 ? [] : view.history.slice(-room);
  const history = [dim('─'.repeat(columns)), ...recent, ...Array.from({ length: room - recent.length }, () => '')];
  return [...top, ...history, ...bottom].slice(0, rows).map(line => fitTextToWidth(line, columns));
};
