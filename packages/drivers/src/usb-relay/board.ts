import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { RelayBoardBase } from '../relay-boards/relay-board-base.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';

const START = 0xa0;
const LENGTH = 4;

const operations = { off: 0, on: 1, off_answered: 2, on_answered: 3, ask: 5 } as const;

type LcusOperation = keyof typeof operations;

const sum = (channel: number, operation: number): number => (START + channel + operation) & 0xff;

/** `A0 channel operation sum`. */
export const encodeLcusFrame = (channel: number, operation: LcusOperation): Uint8Array =>
  Uint8Array.of(START, channel, operations[operation], sum(channel, operations[operation]));

interface LcusResponse {
  readonly channel: number;
  readonly on: boolean;
}

/** Extracts the responses of a board from received bytes; skips other bytes. */
export class LcusResponseParser {
  #kept: readonly number[] = [];

  take(bytes: Uint8Array): readonly LcusResponse[] {
    const answers: LcusResponse[] = [];
    const all = [...this.#kept, ...bytes];
    let at = 0;
    while (at + LENGTH <= all.length) {
      const [start, channel, state, check] = all.slice(at, at + LENGTH) as [number, number, number, number];
      const isAnswer = start === START && channel > 0 && state <= 1 && check === sum(channel, state);
      if (isAnswer) answers.push({ channel, on: state === 1 });
      at += isAnswer ? LENGTH : 1;
    }
    this.#kept = all.slice(at);
    return answers;
  }
}

interface LcusRelayOptions {
  readonly line: SerialLine;
  readonly clock: MonotonicClock;
  /** The channel of each output, counted from 1 as printed on the board. */
  readonly outputs: Readonly<Record<string, number>>;
  /** Newer boards respond. Boards that do not are assumed to work while their port exists. */
  readonly answers?: boolean;
}

const ANSWER_MS = 300;
const ASK_MS = 500;
const SILENCES = 3;
const NO_ANSWER =
  'The relay board does not respond: check its power supply, or remove "answers" from the profile if its type never responds';

/** USB relays of the LCUS type. They cannot time a pulse, so a door stays as it is if the process dies. */
export class LcusRelay extends RelayBoardBase {
  readonly #options: LcusRelayOptions;
  readonly #answers = new LcusResponseParser();
  #silences = 0;
  #cancel: () => void = () => undefined;

  constructor(options: LcusRelayOptions) {
    const { line, outputs } = options;
    super(Object.keys(outputs));
    this.#options = options;
    line.onBytes(bytes => this.#heard(bytes));
    line.onFault(fault => {
      if (fault !== null) return this.#lost(fault.message);
      this.#begin();
      if (options.answers !== true) this.health.clear();
    });
    if (this.health.fault === null) this.#begin();
  }

  /** Switches all outputs off and closes the port. */
  async close(): Promise<void> {
    this.#cancel();
    const channels = Object.values(this.#options.outputs);
    await Promise.allSettled(channels.map(channel => this.#options.line.write(encodeLcusFrame(channel, 'off'))));
    await this.#options.line.close();
  }

  protected override drive(output: string, on: boolean): void {
    const answered = this.#options.answers === true;
    const operation = on ? (answered ? 'on_answered' : 'on') : answered ? 'off_answered' : 'off';
    this.#send(this.#options.outputs[output]!, operation);
  }

  #send(channel: number, operation: Parameters<typeof encodeLcusFrame>[1]): void {
    this.#options.line.write(encodeLcusFrame(channel, operation)).then(
      () => this.#sent(),
      (error: Error) => this.#unsent(error.message),
    );
  }

  #sent(): void {
    if (this.#options.answers !== true && this.health.fault?.kind === 'broken') this.health.clear();
  }

  /** An absent port reports its own fault; commands are dropped until it returns. */
  #unsent(message: string): void {
    if (this.health.fault?.kind === 'absent') return;
    this.health.fail('broken', message);
    this.#cancel();
    const { clock } = this.#options;
    this.#cancel = clock.wake(addMilliseconds(clock.now(), ASK_MS), () => this.#begin());
  }

  /** Switches off all outputs that are not held; older boards support only the plain command. */
  #restart(): void {
    const { answers, outputs } = this.#options;
    if (answers === true)
      for (const [output, channel] of Object.entries(outputs)) if (!this.isHeld(output)) this.#send(channel, 'off');
    this.restart();
  }

  #begin(): void {
    this.#restart();
    if (this.#options.answers === true) this.#ask();
  }

  #lost(message: string): void {
    this.#cancel();
    this.health.fail('absent', message);
  }

  #ask(): void {
    this.#cancel();
    const { clock, outputs } = this.#options;
    this.#send(Math.min(...Object.values(outputs)), 'ask');
    this.#cancel = clock.wake(addMilliseconds(clock.now(), ANSWER_MS), () => this.#silent());
  }

  #silent(): void {
    this.#silences++;
    if (this.#silences >= SILENCES) this.health.fail('broken', NO_ANSWER);
    this.#ask();
  }

  #heard(bytes: Uint8Array): void {
    if (this.#options.answers !== true) return;
    const { clock, outputs } = this.#options;
    const own = new Set(Object.values(outputs));
    const answers = this.#answers.take(bytes).filter(({ channel }) => own.has(channel));
    if (answers.length === 0) return;
    this.#silences = 0;
    this.#cancel();
    this.#cancel = clock.wake(addMilliseconds(clock.now(), ASK_MS), () => this.#ask());
    if (this.health.fault === null) return;
    // The board may have lost power in between.
    this.#restart();
    this.health.clear();
  }
}
