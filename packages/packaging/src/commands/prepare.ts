import { type CommandWriter, createCliCommand } from '@lintel/service/command-line/cli-command';
import { listenForSignals } from '@lintel/service/command-line/listen-for-signals';
import { parsePreparePageOptions } from '../sd-card/parse-prepare-command-options.ts';
import {
  prepareSdCardFromArguments,
  prepareCommandUsage,
  runPrepareCommand,
} from '../sd-card/prepare-sd-card-from-arguments.ts';

type WebSettings = NonNullable<ReturnType<typeof parsePreparePageOptions>>;

/** Serves the page until the user stops the command. */
const serveWeb = async (settings: WebSettings, stdout: CommandWriter): Promise<number> => {
  const { servePreparePage } = await import('../prepare-page/serve-prepare-page.ts');
  const page = await servePreparePage({ ...settings, prepareCard: prepareSdCardFromArguments });
  stdout.write(`Open this link in a browser on this computer: ${page.url}\nTo stop: Ctrl-C.\n`);
  await new Promise<void>(resolve => void listenForSignals(['SIGINT', 'SIGTERM'], resolve));
  await page.close();
  return 0;
};

export const command = createCliCommand(prepareCommandUsage, async (args, streams) => {
  const web = parsePreparePageOptions(args);
  return web === null ? runPrepareCommand(args, streams) : serveWeb(web, streams.stdout);
});
