import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { ConnectionLimits } from './connection-limit.ts';

export interface ConnectionCapacity {
  readonly http: ConnectionLimits;
  /** Connections to an MQTT broker that have not logged in. */
  readonly mqttLogins: ConnectionLimits;
  /** Connections of devices that have logged in. */
  readonly mqttSessions: number;
}

/** Where the system does not tell the limit. */
const DEFAULT_DESCRIPTORS = 1_024;
/** For the database, brokers, webhooks, mails and files. */
const MIN_RESERVE = 64;
const MAX_RESERVE = 1_024;
/** With TLS, before a request is complete. */
const BYTES_PER_CONNECTION = 40 * 1_024;
const MEMORY_SHARE = 1 / 8;
const FEW = 16;

/** The number of file descriptors that this process may open. */
export const readDescriptorLimit = (limits = (): string => readFileSync('/proc/self/limits', 'utf8')): number => {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(limits())?.[1];
    return found === undefined ? DEFAULT_DESCRIPTORS : Number(found);
  } catch {
    return DEFAULT_DESCRIPTORS;
  }
};

const readMemoryBytes = (): number => {
  const limited = process.constrainedMemory();
  return limited > 0 ? Math.min(limited, totalmem()) : totalmem();
};

/** Divides what one process can keep open, so that strangers leave enough for devices, and both for the process itself. */
export const computeConnectionCapacity = (
  descriptors = readDescriptorLimit(),
  memoryBytes = readMemoryBytes(),
): ConnectionCapacity => {
  const reserve = Math.min(MAX_RESERVE, Math.max(MIN_RESERVE, Math.floor(descriptors / 4)));
  const all = Math.max(FEW, descriptors - reserve);
  const mostInMemory = Math.floor((memoryBytes * MEMORY_SHARE) / BYTES_PER_CONNECTION);
  const limitsOf = (share: number): ConnectionLimits => {
    const open = Math.min(Math.floor(all * share), mostInMemory);
    return { open, openPerNetwork: Math.max(Math.min(FEW, Math.ceil(open / 4)), Math.floor(open / 8)) };
  };
  const [http, mqttLogins] = [limitsOf(1 / 4), limitsOf(1 / 8)];
  return { http, mqttLogins, mqttSessions: all - http.open - mqttLogins.open };
};
