import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { RelayBoardBase } from '../relay-boards/relay-board-base.ts';
import { type OsdpCommand, readerNumberOfOsdpCommand } from './encode-osdp-command.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';

const COLORS = { black: 0, red: 1, green: 2, amber: 3, blue: 4, magenta: 5, cyan: 6, white: 7 } as const;

type OsdpColor = keyof typeof COLORS;

/** Two lines may be two colors of the same LED: the latest one shows. */
export type OsdpOutputLineConfig =
  | { readonly kind: 'output'; readonly number: number }
  | { readonly kind: 'led'; readonly color: OsdpColor; readonly led?: number }
  | { readonly kind: 'buzzer' }
  /** Shown while the line is on. */
  | { readonly kind: 'text'; readonly text: string };

type LedLine = Extract<OsdpOutputLineConfig, { kind: 'led' }>;

type TextLine = Extract<OsdpOutputLineConfig, { kind: 'text' }>;

const TICK_MS = 100;
const LONGEST_TICKS = 0xffff;
const LONGEST_BEEP_TICKS = 0xff;
const STEADY_TICKS = 10;
const LONGEST_TEXT_SECONDS = 0xff;

const ticksOf = (milliseconds: number, most: number): number | null => {
  const ticks = Math.max(1, Math.ceil(milliseconds / TICK_MS));
  return ticks > most ? null : ticks;
};

const isSameLed = (a: LedLine, b: LedLine): boolean => (a.led ?? 0) === (b.led ?? 0);

/**
 * The LEDs, buzzer and display of one reader of a peripheral, and the relays that the profile lists with it. The
 * peripheral times pulses in tenths of a second; longer ones wait for `release`.
 */
export class OsdpOutputs extends RelayBoardBase {
  readonly #peripheral: OsdpPeripheral;
  readonly #reader: number;
  readonly #lines: ReadonlyMap<string, OsdpOutputLineConfig>;
  /** Includes faults of single commands, which do not prevent the next command. */
  readonly #reported = new PartHealth();
  /** Colors that are on until released, the newest last. */
  #lit: string[] = [];
  #flashed: string | null = null;
  #isKnown = false;
  /** The reader has been online at least once since startup. */
  #wasReady: boolean;

  constructor(
    peripheral: OsdpPeripheral,
    reader_number: number,
    lines: Readonly<Record<string, OsdpOutputLineConfig>>,
  ) {
    super(Object.keys(lines));
    this.#peripheral = peripheral;
    this.#reader = reader_number;
    this.#wasReady = peripheral.identity() !== null;
    this.#lines = new Map(Object.entries(lines));
    peripheral.onReady(() => this.#ready());
    peripheral.onFault(fault => {
      // A reader with an open housing still obeys, and the door must be locked.
      const isThere = fault === null || fault.kind === 'tampered';
      for (const health of [this.health, this.#reported]) health.follow(isThere ? null : fault);
      if (!isThere) this.#isKnown = false;
    });
    peripheral.onExecuted((command, refusal) => {
      if (!this.#isOwn(command)) return;
      if (command.type === 'text') return this.#told(refusal);
      if (command.type !== 'out') return;
      if (refusal === null) this.#reported.clear();
      else this.#reported.fail('broken', `Reader at address ${peripheral.address} refuses to switch an output`);
    });
  }

  /** Other readers of the peripheral send commands too. */
  #isOwn(command: OsdpCommand): boolean {
    if (command.type !== 'out') return readerNumberOfOsdpCommand(command) === this.#reader;
    const lines = [...this.#lines.values()];
    return command.outputs.some(({ output }) => lines.some(line => line.kind === 'output' && line.number === output));
  }

  #told(refusal: number | null): void {
    if (refusal === null) this.#reported.clear('text');
    else this.#reported.fail('broken', `Reader at address ${this.#peripheral.address} does not show texts`, 'text');
  }

  override faultOf(output: string): string | null {
    return super.faultOf(output) ?? (this.#wasReady ? null : this.#notYet());
  }

  override onFault(listener: PartFaultListener): void {
    this.#reported.onFault(listener);
  }

  #notYet(): string {
    return `Reader at address ${this.#peripheral.address} has not responded yet`;
  }

  #ready(): void {
    if (!this.#wasReady) {
      this.#wasReady = true;
      this.#reported.clear();
    }
    try {
      this.#putRight();
      this.#isKnown = true;
    } catch (error) {
      this.#reported.fail('broken', (error as Error).message);
    }
  }

  /** Restores all outputs after the reader was absent; after a new session only, keeps running pulses. */
  #putRight(): void {
    if (!this.#isKnown) return this.restart();
    for (const output of this.#lines.keys()) if (this.isHeld(output)) this.drive(output, true, null);
  }

  protected override drive(output: string, on: boolean, pulse_ms: number | null): void {
    if (!this.#wasReady) return this.#begin(pulse_ms);
    const line = this.#lines.get(output)!;
    if (!this.#peripheral.send(this.#command(output, line, on, pulse_ms)))
      throw new Error(`Reader at address ${this.#peripheral.address} does not accept commands now`);
  }

  /** Permanent states are sent once the reader is online; a pulse would come too late. */
  #begin(pulse_ms: number | null): void {
    if (pulse_ms === null) return;
    this.#reported.fail('absent', this.#notYet());
    throw new Error(this.#notYet());
  }

  #command(output: string, line: OsdpOutputLineConfig, on: boolean, pulse_ms: number | null): OsdpCommand {
    switch (line.kind) {
      case 'output':
        return this.#relay(output, line.number, on, pulse_ms);
      case 'led':
        return this.#light(output, line, on, pulse_ms);
      case 'text':
        return this.#text(line, on, pulse_ms);
      case 'buzzer': {
        const ticks = pulse_ms === null ? null : ticksOf(pulse_ms, LONGEST_BEEP_TICKS);
        const on_ticks = on ? (ticks ?? STEADY_TICKS) : 0;
        return { type: 'buz', reader: this.#reader, on_ticks, count: on && ticks === null ? 0 : 1 };
      }
    }
  }

  /** Off is a text of spaces: the standard has no command that clears the display. */
  #text({ text }: TextLine, on: boolean, pulse_ms: number | null): OsdpCommand {
    if (!on) return { type: 'text', reader: this.#reader, text: ' '.repeat(text.length), seconds: null };
    const seconds = pulse_ms === null ? null : Math.max(1, Math.ceil(pulse_ms / 1_000));
    return {
      type: 'text',
      reader: this.#reader,
      text,
      seconds: seconds !== null && seconds > LONGEST_TEXT_SECONDS ? null : seconds,
    };
  }

  #relay(name: string, output: number, on: boolean, pulse_ms: number | null): OsdpCommand {
    const ticks = pulse_ms === null ? null : ticksOf(pulse_ms, LONGEST_TICKS);
    if (!on) return { type: 'out', outputs: [{ output, control: 'off', ticks: 0 }] };
    if (ticks === null) return { type: 'out', outputs: [{ output, control: 'on', ticks: 0 }] };
    const pulse = { output, control: 'on_for', ticks } as const;
    // After a pulse the relay returns to its permanent state, which would be on.
    const held = this.isHeld(name);
    return { type: 'out', outputs: held ? [{ output, control: 'off', ticks: 0 }, pulse] : [pulse] };
  }

  #light(output: string, line: LedLine, on: boolean, pulse_ms: number | null): OsdpCommand {
    const color = COLORS[line.color];
    const ticks = on && pulse_ms !== null ? ticksOf(pulse_ms, LONGEST_TICKS) : null;
    const wasFlashed = this.#flashed === output;
    this.#lit = this.#lit.filter(name => name !== output);
    if (on && ticks === null) this.#lit.push(output);
    if (ticks !== null) this.#flashed = output;
    const temporary = ticks !== null ? { color, ticks } : on || wasFlashed ? 'end' : 'keep';
    const led = { reader: this.#reader, led: line.led ?? 0, temporary, permanent: this.#permanent(line) } as const;
    return { type: 'led', leds: [led] };
  }

  #permanent(place: LedLine): { readonly color: number } {
    const lines = this.#lit.map(name => this.#lines.get(name)!);
    const shown = lines.findLast((line): line is LedLine => line.kind === 'led' && isSameLed(line, place));
    return { color: COLORS[shown?.color ?? 'black'] };
  }
}
