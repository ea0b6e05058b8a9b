import type { InputLines, LineLevel } from '../ports/input-lines.ts';
import type { FaultListener } from '../ports/part-fault.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';
import type { Reply } from './replies.ts';

export type OsdpInputLine =
  | { readonly kind: 'input'; readonly number: number; readonly active_when?: 'set' | 'clear' }
  /** The housing of the reader is open. */
  | { readonly kind: 'tamper' }
  /** The reader runs on its battery. */
  | { readonly kind: 'power_failed' };

/** `cut`: the reader answers, and says that it cannot tell. */
type Reported = LineLevel | 'cut';

const active = (isActive: boolean): LineLevel => (isActive ? 'active' : 'inactive');

/** What a report says of a line; null when it says nothing of it. */
const reported = (line: OsdpInputLine, reply: Reply): Reported | null => {
  if (reply.type === 'lstatr' && line.kind === 'tamper') return active(reply.tampered);
  if (reply.type === 'lstatr' && line.kind === 'power_failed') return active(reply.power_failed);
  if (reply.type !== 'istatr' || line.kind !== 'input') return null;
  const value = reply.inputs[line.number];
  if (value === undefined) return 'cut';
  // Above one: a supervised line that is cut or shorted.
  return value > 1 ? 'cut' : active((value === 1) === (line.active_when !== 'clear'));
};

/** The contacts, buttons and tamper switch of one reader, which debounces them. */
export class OsdpInputs implements InputLines {
  readonly #peripheral: OsdpPeripheral;
  readonly #lines: ReadonlyMap<string, OsdpInputLine>;
  readonly #reported = new Map<string, Reported>();
  #listener: (input: string, level: LineLevel) => void = () => undefined;

  constructor(peripheral: OsdpPeripheral, lines: Readonly<Record<string, OsdpInputLine>>) {
    this.#peripheral = peripheral;
    this.#lines = new Map(Object.entries(lines));
    peripheral.onReply(reply => this.#report(line => reported(line, reply)));
    peripheral.onFault(fault => {
      if (fault !== null && fault.kind !== 'tampered') this.#report(() => 'unknown');
    });
  }

  level(input: string): LineLevel {
    const last = this.#reported.get(input) ?? 'unknown';
    return last === 'cut' ? 'unknown' : last;
  }

  isCut(input: string): boolean {
    return this.#reported.get(input) === 'cut';
  }

  onLevel(listener: (input: string, level: LineLevel) => void): void {
    this.#listener = listener;
  }

  onFault(listener: FaultListener): void {
    this.#peripheral.onFault(listener);
  }

  #report(reportOf: (line: OsdpInputLine) => Reported | null): void {
    for (const [input, line] of this.#lines) {
      const report = reportOf(line);
      if (report === null || report === (this.#reported.get(input) ?? 'unknown')) continue;
      this.#reported.set(input, report);
      this.#listener(input, this.level(input));
    }
  }
}
