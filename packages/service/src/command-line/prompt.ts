import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandStreams } from './cli-command.ts';

/** Returns null for an acceptable answer, otherwise what is wrong with it. */
type CheckAnswer = (answer: string) => string | null;

const acceptAnything: CheckAnswer = () => null;

/** The user pressed Ctrl-C or Ctrl-D instead of answering. */
export class PromptStoppedError extends Error {
  constructor() {
    super('Stopped. Nothing was written.');
  }
}

/** Asks questions on a terminal. The questions go to stderr, so that stdout has only the result. */
export class Prompt {
  readonly #interface: ReturnType<typeof createInterface>;
  readonly #stderr: CommandStreams['stderr'];
  readonly #stop = new AbortController();
  #isHidden = false;

  constructor({ stdin, stderr }: Pick<CommandStreams, 'stdin' | 'stderr'>) {
    this.#stderr = stderr;
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (!this.#isHidden) stderr.write(String(chunk));
        done();
      },
    });
    this.#interface = createInterface({ input: stdin, output, terminal: stdin.isTTY === true });
    this.#interface.once('SIGINT', () => this.#stop.abort());
    this.#interface.once('close', () => this.#stop.abort());
  }

  /** Repeats the question until the answer is acceptable. An empty answer stands for `fallback`. */
  ask(question: string, fallback = '', check: CheckAnswer = acceptAnything): Promise<string> {
    const shown = fallback === '' ? question : `${question} [${fallback}]`;
    return this.#repeat(async () => (await this.#read(`${shown}: `)).trim() || fallback, check);
  }

  /** Does not show what is typed. Shows the question as it is. */
  askSecret(question: string, check: CheckAnswer = acceptAnything): Promise<string> {
    return this.#repeat(async () => {
      this.#stderr.write(question);
      this.#isHidden = true;
      try {
        return await this.#read('');
      } finally {
        this.#isHidden = false;
        this.#stderr.write('\n');
      }
    }, check);
  }

  async confirm(question: string): Promise<boolean> {
    return /^y(?:es)?$/i.test(await this.ask(`${question} (y/n)`, 'n'));
  }

  close(): void {
    this.#interface.close();
  }

  async #read(question: string): Promise<string> {
    try {
      return await this.#interface.question(question, { signal: this.#stop.signal });
    } catch (error) {
      this.#stderr.write('\n');
      throw this.#stop.signal.aborted ? new PromptStoppedError() : error;
    }
  }

  async #repeat(read: () => Promise<string>, check: CheckAnswer): Promise<string> {
    for (;;) {
      const answer = await read();
      const problem = check(answer);
      if (problem === null) return answer;
      this.#stderr.write(`${problem}\n`);
    }
  }
}
