import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Argument of a server process. The bare server runs the statements that were recorded from Lintel. */
export interface ServerSettings {
  readonly kind: 'lintel' | 'bare';
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly organizationId: string;
  readonly statements: { readonly get: string; readonly list: string };
}

export const startServer = async (settings: ServerSettings): Promise<RunningServer> => {
  const file = join(import.meta.dirname, settings.kind === 'lintel' ? 'lintel-server.ts' : 'bare-fastify-server.ts');
  const child: ChildProcess = fork(file, [JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The ${settings.kind} server exited`);
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
