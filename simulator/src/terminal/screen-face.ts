import type { ReadStream, WriteStream } from 'node:tty';
import { drawScreen } from './draw.ts';
import { performKey } from './key-bindings.ts';
import type { TrialDoor } from './trial-door.ts';

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J';
const LEAVE = '\u001B[0m\u001B[?25h\u001B[?1049l';
const HOME = '\u001B[H';
const TO_LINE_END = '\u001B[K';
/** Ctrl-C, Ctrl-D, Escape alone, and q. */
const quits = new Set(['q', 'Q', '\u0003', '\u0004', '\u001B']);
/** Pulses run out and lockouts end without anybody's doing. */
const REDRAW_MS = 100;
const SIZE = { columns: 80, rows: 24 };

interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** The terminal as it was, whatever happens: at the end, on a signal, and when something breaks. */
const takeTerminal = ({ input, output }: Terminal): (() => void) => {
  let isTaken = true;
  const giveBack = (): void => {
    if (!isTaken) return;
    isTaken = false;
    process.off('exit', giveBack);
    process.off('uncaughtExceptionMonitor', giveBack);
    if (input.isTTY) input.setRawMode(false);
    input.pause();
    output.write(LEAVE);
  };
  process.on('exit', giveBack);
  // Before the error is printed, so that it is printed where it can be read.
  process.on('uncaughtExceptionMonitor', giveBack);
  input.setRawMode(true);
  output.write(ENTER);
  return giveBack;
};

/** Keypad, reader and door on the alternate screen, until somebody quits. */
export const showScreen = async (door: TrialDoor, terminal: Terminal): Promise<void> => {
  const { input, output } = terminal;
  const giveBack = takeTerminal(terminal);
  let shown = '';
  const draw = (): void => {
    // A terminal that nobody has measured says 0.
    const columns = output.columns > 0 ? output.columns : SIZE.columns;
    const rows = output.rows > 0 ? output.rows : SIZE.rows;
    const screen = drawScreen(door.view(), { columns, rows }).join(`${TO_LINE_END}\r\n`);
    if (screen === shown) return;
    shown = screen;
    output.write(`${HOME}${screen}`);
  };
  const redraw = setInterval(draw, REDRAW_MS);
  const resized = (): void => {
    shown = '';
    output.write('\u001B[2J');
    draw();
  };
  output.on('resize', resized);
  const ended = new Promise<void>(resolve => {
    input.setEncoding('utf8').on('data', (chunk: Buffer | string) => {
      const text = String(chunk);
      // A key such as an arrow comes as one chunk that begins with Escape, and means nothing here.
      if (text.startsWith('\u001B') && text.length > 1) return;
      for (const character of text) {
        if (quits.has(character)) return resolve();
        performKey(door, character);
      }
      draw();
    });
    input.once('end', resolve);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  draw();
  await ended;
  clearInterval(redraw);
  output.off('resize', resized);
  giveBack();
};
