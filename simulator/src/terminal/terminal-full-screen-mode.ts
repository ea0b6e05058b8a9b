import type { ReadStream, WriteStream } from 'node:tty';
import { drawTerminalScreen } from './draw-screen.ts';
import { performKeyBinding } from './key-bindings.ts';
import type { DoorSimulation } from './door-simulation.ts';

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J';
const LEAVE = '\u001B[0m\u001B[?25h\u001B[?1049l';
const HOME = '\u001B[H';
const TO_LINE_END = '\u001B[K';
/** Ctrl-C, Ctrl-D, Escape alone, and q. */
const quits = new Set(['q', 'Q', '\u0003', '\u0004', '\u001B']);
/** Pulses and lockouts end without an input. */
const REDRAW_MS = 100;
const DEFAULT_SIZE = { columns: 80, rows: 24 };

interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** Switches to raw mode and the alternate screen. Returns a function that restores the terminal; it also runs on exit and on a crash. */
const enterFullScreen = ({ input, output }: Terminal): (() => void) => {
  let isActive = true;
  const restore = (): void => {
    if (!isActive) return;
    isActive = false;
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    if (input.isTTY) input.setRawMode(false);
    input.pause();
    output.write(LEAVE);
  };
  process.on('exit', restore);
  // Restores the terminal before the error is printed.
  process.on('uncaughtExceptionMonitor', restore);
  input.setRawMode(true);
  output.write(ENTER);
  return restore;
};

/** Shows keypad, reader and door on the alternate screen until the user quits. */
export const runTerminalFullScreen = async (door: DoorSimulation, terminal: Terminal): Promise<void> => {
  const { input, output } = terminal;
  const restore = enterFullScreen(terminal);
  let shown = '';
  const draw = (): void => {
    // Some terminals report a size of 0.
    const columns = output.columns > 0 ? output.columns : DEFAULT_SIZE.columns;
    const rows = output.rows > 0 ? output.rows : DEFAULT_SIZE.rows;
    const screen = drawTerminalScreen(door.view(), { columns, rows }).join(`${TO_LINE_END}\r\n`);
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
      // Keys such as arrows arrive as one chunk that begins with Escape. They are ignored.
      if (text.startsWith('\u001B') && text.length > 1) return;
      for (const character of text) {
        if (quits.has(character)) return resolve();
        performKeyBinding(door, character);
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
  restore();
};
