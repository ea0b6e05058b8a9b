import { markDataFolder, rejectForeignDataFolder, requirePrivateFolder } from '@lintel/service/data-folder/data-folder';
import { startWatchdogHeartbeat } from '@lintel/service/systemd/heartbeat';
import { createSystemdWatchdog } from '@lintel/service/systemd/systemd-watchdog';
import pino from 'pino';
import { createBridge } from '../main.ts';
import { bridgeCommand, toPortError } from './bridge-command.ts';
import { startListening } from './bridge-listeners.ts';
import { parseBridgeOptions, usage } from './bridge-options.ts';

const waitForStopSignal = (): Promise<void> =>
  new Promise<void>(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

export const command = bridgeCommand(usage, async (args, { stdout, stderr }) => {
  const options = parseBridgeOptions(args);
  const logger = pino({ level: options['log-level'] }, stderr === process.stderr ? pino.destination(2) : stderr);
  rejectForeignDataFolder(options.dataDir, 'bridge');
  requirePrivateFolder(options.dataDir);
  markDataFolder(options.dataDir, 'bridge', (level, message, facts) => logger[level](facts ?? {}, message));
  const bridge = await createBridge({
    dataDir: options.dataDir,
    database: options.database,
    directDatabase: options.directDatabase,
    isNewDatabase: options['new-database'],
    publicUrl: options['public-url'],
    logger,
    rateLimit: options.rateLimit,
    mail: options.mail,
    webhookAllow: options['webhook-allow'],
    trustedProxies: options['trust-proxy'],
    mqttUrl: options.brokerUrl,
    mqttCa: options.brokerAuthority,
    metricsToken: options.metricsToken,
    releaseKeys: options['release-keys'],
  });
  const closeTasks: Array<() => Promise<unknown>> = [];
  try {
    await startListening(bridge, options, logger, closeTasks, stdout);
    const stopHeartbeat = startWatchdogHeartbeat(createSystemdWatchdog());
    await waitForStopSignal();
    stopHeartbeat();
    logger.info('Stopping');
    return 0;
  } catch (error) {
    throw toPortError(error) ?? error;
  } finally {
    for (const close of closeTasks) await close();
    await bridge.close();
  }
});
