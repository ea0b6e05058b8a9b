/** What tests and benchmarks outside this package use of it. Production code does not import it. */
export { serveSimulatorPage } from './testing/simulator-page.ts';
// Fleets: the load of benchmarks.
export type { FleetDevice } from './fleet/fleet-device-identity.ts';
export { FleetKeyFile } from './fleet/fleet-key-file.ts';
export { type FleetMetrics, monotonicNowMs } from './fleet/fleet-metrics.ts';
export { FleetMqttConnection } from './fleet/fleet-mqtt-connection.ts';
export { FleetProcesses, MAX_CONTROLLERS_PER_PROCESS } from './fleet/fleet-processes.ts';
export { FleetWorker, MAX_CONCURRENT_CONNECTS } from './fleet/fleet-worker.ts';
export { forEachWithConcurrency } from './fleet/for-each-with-concurrency.ts';
export { type HistogramCounts, LatencyHistogram } from './fleet/latency-histogram.ts';
// What the commands run, without a process.
export { parseSupportBundle, type ParsedSupportBundle } from './replay/read-support-bundle.ts';
export { describeReplayLimitations } from './replay/replay-limitations.ts';
export { type ReplayedDecision, replaySupportBundle } from './replay/replay-support-bundle.ts';
export { parseScenario, readScenarioFile } from './scenario/file/scenario-file.ts';
export { playScenario } from './scenario/play-scenario.ts';
export type { DoorSimulation } from './terminal/door-simulation.ts';
export { runTerminalFullScreen } from './terminal/terminal-full-screen-mode.ts';
// Simulated parts.
export { FaultProxy } from './links/fault-proxy.ts';
export { ScenarioClock } from './scenario/scenario-clock.ts';
export { SimulatedHardware } from './terminal/simulated-hardware-from-profile.ts';
