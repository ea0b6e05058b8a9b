import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

export interface LintelSettings {
  readonly kind: 'lintel';
  readonly dataDir: string;
  readonly database: string | undefined;
}

/** The bare server runs the statements that were recorded from Lintel. */
export interface BareSettings extends Omit<LintelSettings, 'kind'> {
  readonly kind: 'bare';
  readonly organizationId: string;
  readonly statements: { readonly get: string; readonly list: string };
}

/** Starts a server as a separate process, with the settings as its argument. */
export const startServer = async (settings: LintelSettings | BareSettings): Promise<RunningServer> => {
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
