import type { Update } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReport } from '@lintel/wire-protocol/mqtt/messages/update-report';
import type { UpdateDesk } from './device/update-desk.ts';

export interface UpdateTalkParts {
  readonly say: (report: UpdateReport) => void;
  /** Absent where nobody could start another version. */
  readonly updates?: UpdateDesk | undefined;
}

/** Orders to update come down, and how far they are goes up: whenever it changes, and with every hello. */
export class UpdateTalk {
  readonly #parts: UpdateTalkParts;
  #isOnline = false;

  constructor(parts: UpdateTalkParts) {
    this.#parts = parts;
    parts.updates?.onReport(() => this.#tell());
  }

  online(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#tell();
  }

  ordered(order: Update): void {
    const { updates, say } = this.#parts;
    if (updates !== undefined) return updates.ordered(order);
    const { rollout_id } = order;
    const reason = 'not_ordered: this program was not started by its launcher, and cannot change its version';
    say({ v: 1, rollout_id, state: 'failed', percent: null, running: '', reason });
  }

  #tell(): void {
    const report = this.#isOnline ? this.#parts.updates?.report() : null;
    if (report != null) this.#parts.say(report);
  }
}
