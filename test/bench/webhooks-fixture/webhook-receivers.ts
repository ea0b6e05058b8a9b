import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ReceivedWebhook, ReceiverCommand } from './webhook-receivers-process.ts';

/** HTTP servers that receive webhooks, in a separate process. */
export class WebhookReceivers {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<WebhookReceivers> {
    const child = fork(join(import.meta.dirname, 'webhook-receivers-process.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new WebhookReceivers(child, port);
  }

  async arrivals(): Promise<readonly ReceivedWebhook[]> {
    const { arrivals } = (await this.#send({ ask: 'arrivals' })) as { arrivals: ReceivedWebhook[] };
    return arrivals;
  }

  async forget(): Promise<void> {
    await this.#send({ ask: 'forget' });
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }

  async #send(command: ReceiverCommand): Promise<unknown> {
    const response = once(this.#child, 'message');
    this.#child.send(command);
    const [message] = (await response) as [unknown];
    return message;
  }
}
