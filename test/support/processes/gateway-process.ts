import { readFileSync } from 'node:fs';
import type { GatewayStatusDocument } from '@lintel/gateway/status/status-document-types';
import { lintelProgramFile } from './bundled-programs.ts';
import { StartedProgram, startProgram } from './start-program.ts';

type ReadyLine = Readonly<Record<'mqtt' | 'mqtts' | 'status' | 'device_id', string>>;

export interface GatewayProcessOptions {
  /** Default: the brokers from the claim response. */
  readonly upstream?: string;
  /** Default: a free port. */
  readonly mqttPort?: number;
  readonly more?: readonly string[];
  /** A command that runs node, such as `prlimit` with its options. */
  readonly under?: readonly string[];
}

/** `lintel gateway` as a process, with the data directory of a claimed gateway. */
export class GatewayProcess extends StartedProgram<ReadyLine> {
  static async start(
    dataDir: string,
    { upstream, mqttPort = 0, more = [], under = [] }: GatewayProcessOptions,
  ): Promise<GatewayProcess> {
    const listeners = ['--listen', '127.0.0.1:0', '--mqtt-port', String(mqttPort), '--no-mdns'];
    const link = upstream === undefined ? [] : ['--upstream', upstream];
    const call = [lintelProgramFile, 'gateway', '--data', dataDir, ...listeners, ...link, ...more];
    const [command = process.execPath, ...args] = [...under, process.execPath, ...call];
    return new GatewayProcess(await startProgram<ReadyLine>([command, ...args]));
  }

  get mqttPort(): number {
    return Number(new URL(this.ready.mqtt).port);
  }

  async status(): Promise<GatewayStatusDocument> {
    return (await (await fetch(`${this.ready.status}/status.json`)).json()) as GatewayStatusDocument;
  }

  /** Resident memory, in MB. */
  get memory(): number {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  }
}
