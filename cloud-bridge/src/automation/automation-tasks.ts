import type { FastifyBaseLogger } from 'fastify';
import type { BridgeServices } from '../services.ts';
import { createBackgroundErrorLog } from '../storage/error-log.ts';
import { PeriodicTask } from '../tasks/periodic-task.ts';
import { runScheduleExceptions } from './schedule-exceptions.ts';
import { runScheduleTriggers } from './schedule-triggers.ts';
import { runVirtualGadgetTimers } from './virtual-gadget-timers.ts';

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
  const onScheduleError = createBackgroundErrorLog(log, 'Schedule triggers failed');
  const onTimerError = createBackgroundErrorLog(log, 'Timers of virtual gadgets failed');
  const onExceptionError = createBackgroundErrorLog(log, 'Exceptions of schedules failed');
  const tasks = [
    new PeriodicTask(() => runScheduleExceptions(services), EXCEPTION_CHECK_MS, onExceptionError),
    new PeriodicTask(() => runScheduleTriggers(services), scheduleCheckMs, onScheduleError),
    new PeriodicTask(() => runVirtualGadgetTimers(services, onTimerError), virtualGadgetCheckMs, onTimerError),
  ];
  for (const task of tasks) task.start();
  return { stop: () => Promise.all(tasks.map(task => task.stop())) };
};
