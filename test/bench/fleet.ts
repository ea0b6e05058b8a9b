import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FleetMetrics, FleetProcesses } from '@lintel/simulator/testing';
import { startBridge } from '../support/processes/bridge-process.ts';
import { type Benchmark, scaled } from './harness/benchmark-types-and-statistics.ts';
import { measureBareConnectStorm } from './fleet-fixture/bare-connect-storm.ts';
import { createFleetData } from './fleet-fixture/create-claimed-fleet-data.ts';

const CONTROLLERS = scaled(10_000);
const TAP_MS = scaled(12_000);
const WARM_UP_MS = scaled(3000);
const POLL_MS = 250;
/** Until the garbage of the storm is collected. */
const SETTLE_MS = scaled(20_000);
const STALL_LIMIT_MS = 60_000;

const kilobytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const waitUntil = async (fleet: FleetProcesses, isTrue: (metrics: FleetMetrics) => boolean): Promise<FleetMetrics> => {
  for (let [last, since] = ['', performance.now()]; ; await delay(POLL_MS)) {
    const metrics = await fleet.report();
    if (isTrue(metrics)) return metrics;
    const seen = JSON.stringify(metrics.counts);
    if (seen !== last) [last, since] = [seen, performance.now()];
    if (performance.now() - since > STALL_LIMIT_MS) throw new Error(`The fleet makes no progress: ${seen}`);
  }
};

/** Taps that the bridge commits per second. The next tap follows as soon as one is committed. */
const tapsPerSecond = async (fleet: FleetProcesses): Promise<number> => {
  await fleet.startTaps({ kind: 'flood' });
  await delay(WARM_UP_MS);
  const before = (await fleet.report()).counts.committed;
  const start = performance.now();
  await delay(TAP_MS);
  const after = (await fleet.report()).counts.committed;
  const seconds = (performance.now() - start) / 1000;
  await fleet.stopTaps();
  return (after - before) / seconds;
};

/** Seconds until the bridge has answered the hello of every controller. All connect at once. */
const measureConnectStorm = async (fleet: FleetProcesses): Promise<number> => {
  await fleet.connect();
  const { clocks } = await waitUntil(fleet, ({ counts }) => counts.greeted === CONTROLLERS);
  return (clocks.last_greeted_at - clocks.started_at) / 1000;
};

const run: Benchmark['run'] = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-bench-fleet-'));
  const keys = join(folder, 'fleet.keys');
  const ids = await createFleetData(folder, keys, CONTROLLERS);
  const bare = await measureBareConnectStorm(ids);
  let bridge = await startBridge(folder, '--log-level', 'error');
  const fleet = await FleetProcesses.start({ keys, ids, broker: bridge.ready['mqtt']! });
  try {
    const pid = bridge.process.pid!;
    const before = kilobytes(pid);
    const connect_s = await measureConnectStorm(fleet);
    const { clocks } = await waitUntil(fleet, ({ counts }) => counts.serving === CONTROLLERS);
    const sync_s = (clocks.last_serving_at - clocks.started_at) / 1000;
    const kb_per_controller_at_once = (kilobytes(pid) - before) / CONTROLLERS;
    await delay(SETTLE_MS);
    const kb_per_controller = (kilobytes(pid) - before) / CONTROLLERS;
    const taps_per_second = await tapsPerSecond(fleet);
    await fleet.disconnect();
    await waitUntil(fleet, ({ counts }) => counts.connected === 0);
    await bridge.stop();
    bridge = await startBridge(folder, '--log-level', 'error', '--mqtt-port', new URL(bridge.ready['mqtt']!).port);
    const reconnect_s = await measureConnectStorm(fleet);
    return {
      figures: {
        kb_per_controller,
        kb_per_controller_at_once,
        taps_per_second,
        connect_s,
        sync_s,
        reconnect_s,
        bare_connect_s: bare,
        controllers: CONTROLLERS,
      },
      ratios: { connect_time: connect_s / bare, reconnect_time: reconnect_s / bare },
    };
  } finally {
    await fleet.stop();
    await bridge.stop();
    rmSync(folder, { recursive: true });
  }
};

export default { name: 'fleet', goals: { connect_time: 3, reconnect_time: 3 }, run } satisfies Benchmark;
