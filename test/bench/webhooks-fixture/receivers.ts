import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arrival, Question } from './receiver-process.ts';

/** The customers' servers, in a process of their own. */
export class Receivers {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<Receivers> {
    const child = fork(join(import.meta.dirname, 'receiver-process.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new Receivers(child, port);
  }

  async arrivals(): Promise<readonly Arrival[]> {
    const { arrivals } = (await this.#ask({ ask: 'arrivals' })) as { arrivals: Arrival[] };
    return arrivals;
  }

  async forget(): Promise<void> {
    await this.#ask({ ask: 'forget' });
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }

  async #ask(question: Question): Promise<unknown> {
    const answered = once(this.#child, 'message');
    this.#child.send(question);
    const [answer] = (await answered) as [unknown];
    return answer;
  }
}
