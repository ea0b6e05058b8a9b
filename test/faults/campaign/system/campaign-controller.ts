import { campaignControllerFile } from '../../../support/processes/bundled-programs.ts';
import type { DoorEvent, Presentation } from '../checker/round-history-types.ts';
import type { ControllerCommand } from './controller-process.ts';
import { PartProcess } from './restarting-process.ts';

interface Status {
  readonly isOnline: boolean;
  readonly waiting: number;
  readonly isUnlocked: boolean;
  readonly faults: readonly string[];
}

interface OutputLine extends Partial<Status> {
  readonly event?: DoorEvent & { readonly kind: string };
  readonly answer?: number;
  readonly isGranted?: boolean;
}

interface Pending {
  readonly settle: (line: OutputLine | null) => void;
  event: OutputLine['event'] | null;
}

/** A controller process, seen from the campaign. */
export class CampaignController {
  /** The gadget id. */
  readonly door: string;
  readonly deviceId: string;
  readonly dataDir: string;
  readonly part: PartProcess;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(name: string, ids: { readonly door: string; readonly deviceId: string }, dataDir: string, url: string) {
    this.door = ids.door;
    this.deviceId = ids.deviceId;
    this.dataDir = dataDir;
    const onLine = (line: string): void => this.#receive(JSON.parse(line) as OutputLine);
    const onEnd = (): void => {
      for (const { settle } of this.#pending.values()) settle(null);
      this.#pending.clear();
    };
    this.part = new PartProcess({
      name: `controller ${name}`,
      call: [campaignControllerFile, dataDir, url],
      onLine,
      onEnd,
    });
  }

  #receive(line: OutputLine): void {
    if (line.event !== undefined) {
      const [first] = this.#pending.values();
      if (first !== undefined && ['use', 'deny'].includes(line.event.kind)) first.event ??= line.event;
      return;
    }
    const pending = this.#pending.get(line.answer ?? 0);
    this.#pending.delete(line.answer ?? 0);
    pending?.settle(line);
  }

  /** Null when the controller does not run or is killed before it answers. */
  #request(command: (id: number) => ControllerCommand): Promise<{ line: OutputLine | null; pending: Pending }> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<{ line: OutputLine | null; pending: Pending }>();
    const pending: Pending = { settle: line => resolve({ line, pending }), event: null };
    this.#pending.set(id, pending);
    if (!this.part.send(command(id))) {
      this.#pending.delete(id);
      pending.settle(null);
    }
    return promise;
  }

  setClockOffset(clockOffset_ms: number): void {
    this.part.send({ clockOffset_ms });
  }

  async status(): Promise<Status | null> {
    return (await this.#request(status => ({ status }))).line as Status | null;
  }

  async present(card: string): Promise<Presentation> {
    const presentedAt = Date.now();
    const { line, pending } = await this.#request(id => ({ tap: card, id }));
    const { event } = pending;
    const answered = { door: this.door, card, presentedAt, answeredAt: Date.now() };
    const use = event?.kind === 'use' ? event : null;
    if (line === null) return { ...answered, outcome: 'unknown', event: use };
    const outcome = line.isGranted === true ? 'granted' : 'denied';
    return { ...answered, outcome, event: use, isTimeUntrusted: event?.isTimeTrusted === false };
  }
}
