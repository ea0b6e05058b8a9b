import type { FastifyBaseLogger } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createBackgroundErrorLogger } from '../storage/background-error-logger.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import { AlertSender } from './alert-sender.ts';
import { raiseAndResolveAlerts } from './raise-and-resolve-alerts.ts';

const CHECK_MS = 5000;
const RETENTION_INTERVAL_MS = 3_600_000;

/** Evaluates the alert rules and sends their messages. Any number of bridges may run it. */
export const startAlertTask = (services: BridgeServices, log: FastifyBaseLogger, checkMs = CHECK_MS) => {
  const onError = createBackgroundErrorLogger(log, 'Alerts failed');
  const sender = new AlertSender(services, Math.random, onError);
  const tasks = [
    new PeriodicTask(
      async () => {
        await raiseAndResolveAlerts(services);
        await sender.startDue();
      },
      checkMs,
      onError,
    ),
    new PeriodicTask(() => sender.deleteOld(), RETENTION_INTERVAL_MS, onError),
  ];
  for (const task of tasks) task.start();
  return {
    stop: async (): Promise<void> => {
      await sender.close();
      await Promise.all(tasks.map(task => task.stop()));
    },
  };
};
