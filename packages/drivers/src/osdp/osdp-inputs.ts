import { InputLinesBase, type ReportedInputLineState } from '../base/input-lines-base.ts';
import type { InputLineState } from '../interfaces/input-lines.ts';
import type { OsdpPeripheral } from './osdp-peripheral.ts';
import { isOsdpStatusCommand, type OsdpStatusCommand } from './peripheral-state-types.ts';
import type { OsdpReply } from './decode-osdp-reply.ts';

export type OsdpInputLineConfig =
  | { readonly kind: 'input'; readonly number: number; readonly active_when?: 'set' | 'clear' }
  /** The housing of the reader is open. */
  | { readonly kind: 'tamper' }
  /** The reader runs on its battery. */
  | { readonly kind: 'power_failed' };

const active = (isActive: boolean): InputLineState => (isActive ? 'active' : 'inactive');

/** The level in a report; null if the report does not cover the line. */
const reported = (line: OsdpInputLineConfig, reply: OsdpReply): ReportedInputLineState | null => {
  if (reply.type === 'lstatr' && line.kind === 'tamper') return active(reply.tampered);
  if (reply.type === 'lstatr' && line.kind === 'power_failed') return active(reply.power_failed);
  if (reply.type !== 'istatr' || line.kind !== 'input') return null;
  const value = reply.inputs[line.number];
  if (value === undefined) return 'cut';
  // Above one: a supervised line that is cut or shorted.
  return value > 1 ? 'cut' : active((value === 1) === (line.active_when !== 'clear'));
};

/** The contacts, buttons and tamper switch of one reader, which debounces them. */
export class OsdpInputs extends InputLinesBase {
  readonly #lines: ReadonlyMap<string, OsdpInputLineConfig>;

  constructor(peripheral: OsdpPeripheral, lines: Readonly<Record<string, OsdpInputLineConfig>>) {
    super();
    this.#lines = new Map(Object.entries(lines));
    peripheral.onReply(reply => {
      const command = reply.type === 'istatr' ? 'istat' : reply.type === 'lstatr' ? 'lstat' : null;
      if (command !== null) this.health.clear(command);
      this.#report(line => reported(line, reply));
    });
    peripheral.onExecuted((command, refusal) => {
      if (refusal !== null && isOsdpStatusCommand(command.type)) this.#notReported(command.type, peripheral.address);
    });
    peripheral.onFault(fault => {
      this.health.follow(fault);
      if (fault !== null && fault.kind !== 'tampered') this.#report(() => 'unknown');
    });
  }

  /** A contact of unknown state must not look like a closed door. */
  #notReported(command: OsdpStatusCommand, address: number): void {
    const isConcerned = ({ kind }: OsdpInputLineConfig): boolean => (kind === 'input') === (command === 'istat');
    if (![...this.#lines.values()].some(isConcerned)) return;
    const what = command === 'istat' ? 'inputs' : 'tamper switch and power supply';
    this.health.fail('broken', `Reader at address ${address} does not report its ${what}`, command);
    this.#report(line => (isConcerned(line) ? 'unknown' : null));
  }

  #report(reportOf: (line: OsdpInputLineConfig) => ReportedInputLineState | null): void {
    for (const [input, line] of this.#lines) {
      const report = reportOf(line);
      if (report !== null) this.report(input, report);
    }
  }
}
