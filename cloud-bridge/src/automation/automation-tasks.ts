import type { FastifyBaseLogger } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { createBackgroundErrorLogger } from '../storage/background-error-logger.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import { reconcileDueScheduleExceptions } from './reconcile-due-schedule-exceptions.ts';
import { runDueScheduleTriggers } from './run-due-schedule-triggers.ts';
import { runDueVirtualGadgetTimers } from './run-due-virtual-gadget-timers.ts';

const SCHEDULE_CHECK_MS = 1000;
const VIRTUAL_GADGET_CHECK_MS = 500;
const EXCEPTION_CHECK_MS = 60_000;

interface AutomationIntervals {
  readonly scheduleCheckMs?: number;
  readonly virtualGadgetCheckMs?: number;
}

/** Runs schedule triggers, exceptions of schedules and the timers of virtual gadgets. Any number of bridges may run them. */
export const startAutomationTasks = (
  services: BridgeServices,
  log: FastifyBaseLogger,
  { scheduleCheckMs = SCHEDULE_CHECK_MS, virtualGadgetCheckMs = VIRTUAL_GADGET_CHECK_MS }: AutomationIntervals,
) => {
  const onScheduleError = createBackgroundErrorLogger(log, 'Schedule triggers failed');
  const onTimerError = createBackgroundErrorLogger(log, 'Timers of virtual gadgets failed');
  const onExceptionError = createBackgroundErrorLogger(log, 'Exceptions of schedules failed');
  const tasks = [
    new PeriodicTask(() => reconcileDueScheduleExceptions(services), EXCEPTION_CHECK_MS, onExceptionError),
    new PeriodicTask(() => runDueScheduleTriggers(services), scheduleCheckMs, onScheduleError),
    new PeriodicTask(() => runDueVirtualGadgetTimers(services, onTimerError), virtualGadgetCheckMs, onTimerError),
  ];
  for (const task of tasks) task.start();
  return { stop: () => Promise.all(tasks.map(task => task.stop())) };
};
