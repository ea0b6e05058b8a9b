import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReportMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update-report';
import type { UpdateHandler } from './update-handler-interface.ts';

export interface UpdateMessagesDependencies {
  readonly publish: (report: UpdateReportMqttMessage) => void;
  /** Absent when the program was not started by its launcher. */
  readonly updates?: UpdateHandler | undefined;
}

/** Receives update messages, and publishes reports when they change and after each connect. */
export class UpdateMessages {
  readonly #deps: UpdateMessagesDependencies;
  #isOnline = false;

  constructor(deps: UpdateMessagesDependencies) {
    this.#deps = deps;
    deps.updates?.onReport(() => this.#publishReport());
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#publishReport();
  }

  handle(message: UpdateMqttMessage): void {
    const { updates, publish } = this.#deps;
    if (updates !== undefined) return updates.handle(message);
    const { rollout_id } = message;
    const reason = 'not_ordered: this program was not started by its launcher and cannot be updated';
    publish({ v: 1, rollout_id, state: 'failed', percent: null, running: '', reason });
  }

  #publishReport(): void {
    const report = this.#isOnline ? this.#deps.updates?.report() : null;
    if (report != null) this.#deps.publish(report);
  }
}
