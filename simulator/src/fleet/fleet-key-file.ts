import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJsonOrNull } from '@lintel/wire-protocol/encoding/json-text';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import {
  type SharedFleetClaimData,
  fleetEnrollmentSchema,
  type FleetDevice,
  fleetDeviceSchema,
} from './fleet-device-identity.ts';

const GROUP_AND_OTHERS = 0o077;
const OWNER_ONLY = 0o600;

export interface StoredFleet {
  /** Null until the first controller is claimed. */
  readonly enrollment: SharedFleetClaimData | null;
  readonly devices: ReadonlyMap<string, FleetDevice>;
}

/**
 * The keys of a fleet, one line for each controller, readable only by the owner. A line is written as soon as a controller
 * is claimed, so that an interrupted run loses no key. The last line for a device counts.
 */
export class FleetKeyFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Empty without a file. Ignores damaged lines. Throws for a file that other users can read. */
  read(): StoredFleet {
    const devices = new Map<string, FleetDevice>();
    let enrollment: SharedFleetClaimData | null = null;
    if (!existsSync(this.path)) return { enrollment, devices };
    if ((statSync(this.path).mode & GROUP_AND_OTHERS) !== 0)
      throw new Error(`${this.path} must be readable only by its owner. Run: chmod 600 ${this.path}`);
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      const value = parseJsonOrNull(line);
      const device = parseWithSchema(fleetDeviceSchema, value);
      const shared = device.ok ? null : parseWithSchema(fleetEnrollmentSchema, value);
      if (device.ok) devices.set(device.value.device_id, device.value);
      else if (shared?.ok === true) enrollment = shared.value;
    }
    return { enrollment, devices };
  }

  add(line: FleetDevice | SharedFleetClaimData): void {
    if (!existsSync(this.path)) {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      writeFileSync(this.path, '', { mode: OWNER_ONLY, flag: 'wx' });
    }
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }
}
