import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TechnicianClaimState } from '@lintel/wire-protocol/technician/claim';
import type { LiveHappening, TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import type { TechnicianHello } from '@lintel/wire-protocol/technician/login';
import type { TechnicianStatus } from '@lintel/wire-protocol/technician/status';
import { PartProcess } from '../processes/part-process.ts';
import type { ControllerPlan } from './controller-plan.ts';
import { underFullDisk } from './disk-limit.ts';
import { PartsClient } from './parts-client.ts';
import { TechnicianApiError, TechnicianClient } from './technician-client.ts';

const LOOK_MS = 1000;
const CLAIM_LOOK_MS = 50;
const MOST_PAST_EVENTS = 50;

export interface RunningParts {
  /** For a controller that has been claimed. */
  readonly pass: () => Promise<string>;
  readonly heard: (happening: LiveHappening) => void;
  readonly looked: (status: TechnicianStatus) => void;
  /** Events from before somebody looked, the newest first. */
  readonly past: (events: readonly TechnicianEvent[]) => void;
  readonly ended: () => void;
}

/** One run of a controller's firmware, from power on to power off. */
export class RunningController {
  readonly process: PartProcess;
  readonly #plan: ControllerPlan;
  readonly #told: RunningParts;
  #parts: PartsClient | null = null;
  #technician: TechnicianClient | null = null;
  #looking: NodeJS.Timeout | undefined;
  #isOver = false;
  page: string | null = null;

  constructor(plan: ControllerPlan, upstreamUrl: string, isDiskFull: boolean, told: RunningParts) {
    this.#plan = plan;
    this.#told = told;
    const { profileFile, dataDir, name, logFile } = plan;
    const page = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];
    // A socket's path is short: the folder is named from beside it.
    const args = ['device', '--profile', profileFile, '--data', basename(dataDir), '--upstream', upstreamUrl, ...page];
    const under = isDiskFull ? underFullDisk : [];
    this.process = new PartProcess({ name, args, logFile, cwd: dirname(dataDir), under });
    void this.process.exited.then(() => this.#end());
  }

  /** The door serves from here on. `levels` are how its contacts and switches stand. */
  async ready(levels: Readonly<Record<string, boolean>>): Promise<void> {
    const { technician } = await this.process.ready<{ readonly technician: string | null }>();
    this.#parts = await PartsClient.open(this.#plan.dataDir);
    for (const [input, isActive] of Object.entries(levels)) await this.move(input, isActive);
    if (technician === null) return;
    this.page = technician;
    this.#technician = new TechnicianClient(technician, this.#file('certificate.pem'));
    await this.#login();
    await this.#follow();
  }

  /** With the setup code until the controller is claimed, with a technician pass of the site afterwards. */
  async #login(): Promise<void> {
    const technician = this.#technician!;
    const { login } = await technician.ask<TechnicianHello>('GET', 'hello');
    if (!login.includes('code')) return technician.login({ pass: await this.#told.pass() });
    return technician.login({ code: this.#file('setup-code').trim() });
  }

  #file(name: string): string {
    return readFileSync(join(this.#plan.dataDir, 'technician', name), 'utf8');
  }

  async #follow(): Promise<void> {
    const technician = this.#technician!;
    await technician.live(this.#told.heard, () => this.#reconnect());
    await this.#catchUp(technician);
    await this.look();
  }

  /** What the bridge has not confirmed yet is the newest; the rest is in the bridge's log. */
  async #catchUp(technician: TechnicianClient): Promise<void> {
    const { waiting_events } = await technician.ask<TechnicianStatus>('GET', 'status');
    if (waiting_events === 0) return;
    const limit = Math.min(waiting_events, MOST_PAST_EVENTS);
    const { data } = await technician.ask<{ data: TechnicianEvent[] }>('GET', `events?limit=${limit}`);
    this.#told.past(data);
  }

  /** A session ends after eight hours. */
  #reconnect(): void {
    if (this.#isOver) return;
    this.#looking = setTimeout(() => {
      this.#login()
        .then(() => this.#follow())
        .catch(() => this.#reconnect());
    }, LOOK_MS);
  }

  async look(): Promise<void> {
    clearTimeout(this.#looking);
    if (this.#isOver) return;
    try {
      this.#told.looked(await this.#technician!.ask<TechnicianStatus>('GET', 'status'));
    } catch (error) {
      if (error instanceof TechnicianApiError && error.status === 401) return this.#reconnect();
    }
    clearTimeout(this.#looking);
    if (!this.#isOver) this.#looking = setTimeout(() => void this.look(), LOOK_MS);
  }

  /** Resolves when the bridge has taken it in, rejects when it has refused. */
  async claim(ticket: string): Promise<void> {
    if (this.#technician === null) throw new Error("it has no technician's page");
    await this.#technician.ask('POST', 'claim', { ticket });
    for (;;) {
      const { state, message } = await this.#technician.ask<TechnicianClaimState>('GET', 'claim');
      if (state === 'claimed') return;
      if (state === 'refused') throw new Error(message ?? 'the bridge has refused it');
      await pause(CLAIM_LOOK_MS);
    }
  }

  /** Null when it is done, otherwise why it is not. */
  order(order: object): Promise<string | null> {
    return this.#parts?.order(order) ?? Promise.resolve('the controller is still starting');
  }

  move(input: string, isActive: boolean): Promise<string | null> {
    return this.order({ input, level: isActive ? 'active' : 'inactive' });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#looking);
    this.#parts?.close();
    this.#technician?.close();
    this.#told.ended();
  }
}
