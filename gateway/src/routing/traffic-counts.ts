import { DroppedMessages } from '@lintel/broker/dropped-messages';

export type DropReason =
  | 'no topic of this protocol'
  | 'not signed by its sender'
  | 'nobody is there to hear it'
  | 'only a gateway says that'
  | 'too much at once'
  | 'the line is too slow';

/** What went through the gateway since it started. */
export class TrafficCounts {
  up = 0;
  down = 0;
  local = 0;
  /** Said while there was no line; it is said again, or nobody needs it by then. */
  unheard = 0;
  /** Left with their controllers because there was no room. */
  left = 0;
  readonly #dropped: DroppedMessages;

  constructor(tell: (facts: Readonly<Record<'device_id' | 'kind' | 'reason', string>>) => void) {
    this.#dropped = new DroppedMessages(({ device_id, kind, reason }) =>
      tell({ device_id: device_id ?? '', kind, reason }),
    );
  }

  get dropped(): number {
    return this.#dropped.count;
  }

  drop(device_id: string, kind: string, reason: DropReason): void {
    this.#dropped.add({ device_id, kind, reason });
  }

  /** From now on everything is news again. */
  forget(): void {
    this.#dropped.forget();
  }
}
