import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Served {
  readonly port: number;
  stop(): Promise<void>;
}

/** What a server process is told; the bare one also gets the statements that ours has been seen to run. */
export interface ServerOrder {
  readonly kind: 'ours' | 'bare';
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly organizationId: string;
  readonly statements: { readonly get: string; readonly list: string };
}

export const startServer = async (order: ServerOrder): Promise<Served> => {
  const file = join(import.meta.dirname, order.kind === 'ours' ? 'our-server.ts' : 'bare-server.ts');
  const child: ChildProcess = fork(file, [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the ${order.kind} server ended by itself`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => undefined);
  return {
    port: message.port,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
};
