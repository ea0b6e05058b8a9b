import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '@lintel/access-core/durations';
import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';
import type { DamageRecord } from '../checker/round-history-types.ts';
import type { InjectedFault, CampaignFaultKind } from '../schedule/fault-schedule.ts';
import type { CampaignController } from './campaign-controller.ts';
import type { CampaignSystem } from './campaign-system.ts';
import type { PartProcess } from './restarting-process.ts';

const PAGE_BYTES = 4096;
const clockSteps_ms = [5 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS, 365 * DAY_MS].flatMap(step => [step, -step]);
const identityFiles = ['identity/key.pem', 'identity/membership.json', 'digest.key'];
const RENEWAL_MS = 5000;

const pick = <T>(choices: readonly T[], choice: number): T => choices[Math.floor(choice * choices.length)]!;

/** The files of a part that can be rebuilt. Without its identity, a device must be claimed again. */
const rebuildableFiles = (dataDir: string): string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter(name => !/identity|digest\.key|technician|folder-kind|lock$|damaged|-shm$/.test(name))
    .filter(name => lstatSync(join(dataDir, name)).isFile() && lstatSync(join(dataDir, name)).size > 0)
    .toSorted();

/** Keeps whole pages from the start of the file. */
const truncateFile = (file: string, choice: number): void => {
  const pages = Math.ceil(lstatSync(file).size / PAGE_BYTES);
  truncateSync(file, Math.floor(choice * pages) * PAGE_BYTES);
};

/** Only the first half of one page was written. */
const tearPage = (file: string, choice: number): void => {
  const bytes = readFileSync(file);
  const from = Math.floor(choice * Math.ceil(bytes.length / PAGE_BYTES)) * PAGE_BYTES;
  const to = Math.min(from + PAGE_BYTES, bytes.length);
  bytes.fill(0, Math.floor((from + to) / 2), to);
  writeFileSync(file, bytes);
};

/** Causes faults, and ends them. */
export class FaultInjector {
  readonly #system: CampaignSystem;
  readonly #setWebhookErrors: (areOn: boolean) => void;
  readonly damages: DamageRecord[] = [];
  #database: Promise<unknown> = Promise.resolve();

  constructor(system: CampaignSystem, setWebhookErrors: (areOn: boolean) => void) {
    this.#system = system;
    this.#setWebhookErrors = setWebhookErrors;
  }

  /** Resolves when the fault is over. */
  cause(fault: InjectedFault): Promise<void> {
    return this.#actions[fault.kind](fault);
  }

  readonly #actions: Readonly<Record<CampaignFaultKind, (fault: InjectedFault) => Promise<void>>> = {
    link_reset: async ({ target }) => this.#link(target).reset(),
    link_cut: async ({ target, duration_ms }) => {
      this.#link(target).cut();
      await delay(duration_ms);
      this.#link(target).restore();
    },
    link_half_open: async ({ target, duration_ms }) => {
      this.#link(target).freeze();
      await delay(duration_ms);
      this.#link(target).reset();
    },
    link_slow: async ({ target, duration_ms, choice }) => {
      this.#link(target).slowdown = { latency_ms: 10 + choice * 150, bytesPerSecond: 5000 + choice * 50_000 };
      await delay(duration_ms);
      this.#link(target).slowdown = null;
    },
    controller_kill: ({ target, duration_ms }) => this.#restart(this.#controller(target).part, duration_ms),
    gateway_kill: ({ duration_ms }) => this.#restart(this.#system.gateway, duration_ms),
    bridge_kill: ({ duration_ms }) => this.#restart(this.#system.bridge, duration_ms),
    disk_full: async ({ target, duration_ms }) => {
      this.#recordDamage(target, 'events');
      this.#system.disks.get(target)?.fill();
      await delay(duration_ms);
      this.#system.disks.get(target)?.free();
    },
    read_error: fault => this.#readError(this.#controller(fault.target), fault),
    file_truncated: fault => this.#damageFile(fault, truncateFile),
    file_torn: fault => this.#damageFile(fault, tearPage),
    clock_step: async ({ target, duration_ms, choice }) => {
      this.#controller(target).setClockOffset(pick(clockSteps_ms, choice));
      await delay(duration_ms);
      this.#controller(target).setClockOffset(0);
    },
    certificate_expiry: ({ target }) => this.#expireCertificate(this.#controller(target)),
    database_restart: ({ duration_ms }) =>
      this.#withDatabase(async () => {
        await this.#system.postgres?.halt('SIGQUIT');
        await delay(duration_ms);
        await this.#system.postgres?.resume();
      }),
    database_locked: ({ duration_ms }) =>
      this.#withDatabase(async () => {
        const database = new SqliteDatabase(join(this.#system.bridgeDir, 'bridge.sqlite'), { timeout: 100 });
        try {
          database.exec('begin immediate');
          await delay(duration_ms);
        } catch {
          // The bridge is writing.
        }
        database.close();
      }),
    webhook_errors: async ({ duration_ms }) => {
      this.#setWebhookErrors(true);
      await delay(duration_ms);
      this.#setWebhookErrors(false);
    },
  };

  #link(name: string) {
    return this.#system.links.get(name)!;
  }

  #controller(name: string): CampaignController {
    return this.#system.controllers[Number(name)]!;
  }

  #withDatabase(work: () => Promise<void>): Promise<void> {
    const result = this.#database.then(work);
    this.#database = result.catch(() => undefined);
    return result;
  }

  #recordDamage(target: string, data: DamageRecord['data']): void {
    const controller = this.#system.controllers[Number(target)];
    if (controller !== undefined) this.damages.push({ door: controller.door, at: Date.now(), data });
  }

  #restart(part: PartProcess, duration_ms: number, whileDown: () => void = () => undefined): Promise<void> {
    return part.inTurn(async () => {
      await part.kill();
      try {
        whileDown();
      } catch {
        // Another fault has filled the disk.
      }
      await delay(duration_ms);
      await part.start();
    });
  }

  #damageFile({ target, choice }: InjectedFault, damage: (file: string, choice: number) => void): Promise<void> {
    const isGateway = target === 'gateway';
    const part = isGateway ? this.#system.gateway : this.#controller(target).part;
    const dataDir = isGateway ? this.#system.gatewayDir : this.#controller(target).dataDir;
    return this.#restart(part, 0, () => {
      const file = pick(rebuildableFiles(dataDir), choice);
      for (const data of ['events', 'access'] as const) this.#recordDamage(target, data);
      damage(join(dataDir, file), (choice * 7919) % 1);
    });
  }

  /** A file of the identity cannot be read for some time. */
  #readError({ part, dataDir }: CampaignController, { target, duration_ms, choice }: InjectedFault): Promise<void> {
    const file = join(dataDir, pick(identityFiles, choice));
    return part.inTurn(async () => {
      await part.kill();
      this.#recordDamage(target, 'access');
      renameSync(file, `${file}.kept`);
      try {
        symlinkSync(file, file);
        await part.start();
        await delay(duration_ms);
        await part.kill();
      } catch {
        // Another fault has filled the disk.
      }
      rmSync(file, { force: true });
      renameSync(`${file}.kept`, file);
      await part.start();
    });
  }

  /** The certificate must be renewed. Then the earlier certificates expire. */
  #expireCertificate({ part, dataDir, deviceId }: CampaignController): Promise<void> {
    const file = join(dataDir, 'identity/membership.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as { serial: string; renew_after: number };
    return part.inTurn(async () => {
      await part.kill();
      const before = read();
      try {
        writeFileSync(`${file}.due`, JSON.stringify({ ...before, renew_after: 1, checksum: undefined }), {
          mode: 0o600,
        });
        renameSync(`${file}.due`, file);
      } catch {
        // Another fault has filled the disk.
        rmSync(`${file}.due`, { force: true });
      }
      await part.start();
      for (const end = Date.now() + RENEWAL_MS; Date.now() < end && read().serial === before.serial; ) await delay(50);
      const { serial } = read();
      if (serial !== before.serial) await this.#withDatabase(() => this.#expireOthers(deviceId, serial));
    });
  }

  async #expireOthers(deviceId: string, serial: string): Promise<void> {
    const now = Date.now();
    if (this.#system.databaseUrl === null) {
      const database = new SqliteDatabase(join(this.#system.bridgeDir, 'bridge.sqlite'), { timeout: 5000 });
      const update = 'update device_certificates set expires_at = ? where device_id = ? and serial <> ?';
      try {
        database.prepare(update).run(now, deviceId, serial);
      } finally {
        database.close();
      }
      return;
    }
    const client = new Client(this.#system.databaseUrl);
    await client.connect();
    const update = 'update device_certificates set expires_at = $1 where device_id = $2 and serial <> $3';
    try {
      await client.query(update, [now, deviceId, serial]);
    } finally {
      await client.end();
    }
  }
}
