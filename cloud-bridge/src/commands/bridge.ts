import { flushCompileCache } from 'node:module';
import { lockDataFolder, rejectForeignDataFolder, ensurePrivateFolder } from '@lintel/service/data-folder/data-folder';
import { requireOwnFolder } from '@lintel/service/data-folder/folder-owner';
import { startWatchdogHeartbeat } from '@lintel/service/systemd/watchdog-heartbeat';
import { createSystemdWatchdog } from '@lintel/service/systemd/systemd-watchdog';
import { findMistypedVariables } from '@lintel/service/command-line/environment-variables';
import type { CommandHandler, CommandWriter } from '@lintel/service/command-line/cli-command';
import { announceFirstRun } from '../first-run/announce-first-run.ts';
import { createBridge } from '../main.ts';
import { createRetryDuringOutage } from '../storage/outage-retry.ts';
import { startReturningFreedMemory } from '../tasks/return-freed-memory.ts';
import { checkUpgrade } from '../upgrade/check-upgrade.ts';
import { createBackupProcessRunner } from './backup-process.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { toPortError } from './bridge-command-error.ts';
import { createBridgeLogger } from './create-bridge-logger.ts';
import { startBridgeListeners } from './bridge-listeners.ts';
import { type BridgeCommandOptions, parseBridgeOptions } from './bridge-options.ts';
import { bridgeOptions, bridgeUsage } from './bridge-usage.ts';

const printUpgradeCheck = async (options: BridgeCommandOptions, stdout: CommandWriter): Promise<number> => {
  const checks = await checkUpgrade(options);
  for (const { subject, isOk, message } of [{ subject: 'Options', isOk: true, message: 'Valid' }, ...checks])
    stdout.write(`${isOk ? 'ok  ' : 'FAIL'} ${subject}: ${message}\n`);
  return checks.every(({ isOk }) => isOk) ? 0 : 1;
};

const waitForStopSignal = (): Promise<void> =>
  new Promise<void>(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });

const runBridge: CommandHandler = async (args, { stdout, stderr }) => {
  const options = parseBridgeOptions(args);
  if (options.check) return printUpgradeCheck(options, stdout);
  const logger = createBridgeLogger(stderr, options['log-level'], options.logFormat);
  for (const { variable, meant } of findMistypedVariables(bridgeOptions, process.env))
    logger.warn({ variable }, `The variable is not an option. Did you mean ${meant}?`);
  requireOwnFolder(options.dataDir);
  rejectForeignDataFolder(options.dataDir, 'bridge');
  ensurePrivateFolder(options.dataDir);
  // Also with PostgreSQL: keys and releases are in the folder of one bridge.
  const release = lockDataFolder(options.dataDir, 'bridge', (level, message, facts) =>
    logger[level](facts ?? {}, message),
  );
  const bridge = await createBridge({
    dataDir: options.dataDir,
    database: options.database,
    directDatabase: options.directDatabase,
    clusterSecret: options.clusterSecret,
    isNewDatabase: options['new-database'],
    publicUrl: options['public-url'],
    logger,
    rateLimit: options.rateLimit,
    mail: options.mail,
    organizationCreation: options.organizationCreation,
    mailsPerHour: options.mailsPerHour,
    terminal: stderr.isTTY === true ? stderr : undefined,
    webhookAllow: options['webhook-allow'],
    trustedProxies: options['trust-proxy'],
    mqttUrl: options.brokerUrl,
    mqttCa: options.brokerAuthority,
    metricsToken: options.metricsToken,
    releaseKeys: options['release-keys'],
    retention: options.retention,
    backups:
      options.backups === null
        ? undefined
        : {
            ...options.backups,
            createBackup: createBackupProcessRunner({
              dataDir: options.dataDir,
              database: options.directDatabase ?? options.database,
              passphraseFile: options.backups.passphraseFile,
            }),
          },
  });
  const closeTasks: Array<() => Promise<unknown>> = [];
  try {
    await startBridgeListeners(bridge, options, logger, closeTasks, stdout, stderr);
    // Saved now, so that the next start is fast even if this process is killed.
    flushCompileCache();
    // From the ready line on, an outage of the database does not end the bridge.
    const stopping = new AbortController();
    closeTasks.push(async () => stopping.abort());
    announceFirstRun(bridge.firstRun, createRetryDuringOutage(stopping.signal), logger, stderr).catch(
      (err: unknown) => {
        if (!stopping.signal.aborted) logger.error({ err }, 'The link for the first run could not be printed');
      },
    );
    const stopReturningMemory = startReturningFreedMemory(err =>
      logger.error({ err }, 'Freed memory cannot be returned'),
    );
    closeTasks.push(async () => stopReturningMemory());
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
    release();
  }
};

export const command = { ...defineBridgeCommand(bridgeUsage, runBridge), logsVariables: true };
