import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import { type FleetHome, fleetHome, type FleetMember, fleetMember } from './fleet-member.ts';

const OTHERS = 0o077;
const OWNER_ONLY = 0o600;

export interface KeptFleet {
  /** Null before the first controller is claimed. */
  readonly home: FleetHome | null;
  readonly members: ReadonlyMap<string, FleetMember>;
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

/**
 * The keys of a fleet, a line for each controller, for their owner only. A line is written as soon as its controller is
 * claimed, so that a run that is stopped loses none; of several lines for one device the last counts.
 */
export class FleetKeyFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Nothing when there is no such file; a line that is damaged is none. Throws for a file that others can read. */
  read(): KeptFleet {
    const members = new Map<string, FleetMember>();
    let home: FleetHome | null = null;
    if (!existsSync(this.path)) return { home, members };
    if ((statSync(this.path).mode & OTHERS) !== 0) throw new Error(`${this.path} must be readable by its owner only`);
    for (const line of readFileSync(this.path, 'utf8').split('\n')) {
      const value = parsed(line);
      const member = parseWith(fleetMember, value);
      const told = member.ok ? null : parseWith(fleetHome, value);
      if (member.ok) members.set(member.value.device_id, member.value);
      else if (told?.ok === true) home = told.value;
    }
    return { home, members };
  }

  add(line: FleetMember | FleetHome): void {
    if (!existsSync(this.path)) {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      writeFileSync(this.path, '', { mode: OWNER_ONLY, flag: 'wx' });
    }
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }
}
