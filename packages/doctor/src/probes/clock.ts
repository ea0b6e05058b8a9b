import { createSystemTime } from '@lintel/service/linux/system-time';
import type { HostSystem } from '../host-system.ts';

export interface ClockProbeResult {
  readonly isSynchronized: boolean;
  /** The names of battery-backed clocks. */
  readonly rtcs: readonly string[];
  readonly buses: readonly string[];
}

export const probeClock = (machine: HostSystem): ClockProbeResult => ({
  isSynchronized: createSystemTime({ fileExists: path => machine.resolve(path) !== null }).isSynchronized(),
  rtcs: machine.list('/sys/class/rtc').map(rtc => machine.read(`/sys/class/rtc/${rtc}/name`) ?? rtc),
  buses: machine.list('/dev').filter(name => /^i2c-\d+$/.test(name)),
});
