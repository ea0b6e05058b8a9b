import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TechnicianClaimStateResponse } from '@lintel/wire-protocol/technician/claim';
import type { TechnicianLiveMessage, TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import type { TechnicianHelloResponse } from '@lintel/wire-protocol/technician/login';
import type { TechnicianInputRulesResponse } from '@lintel/wire-protocol/technician/input-rules';
import type { TechnicianStatusResponse } from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { LintelProcess } from '../processes/lintel-process.ts';
import type { DemoControllerPlan } from './demo-controller-plan-types-and-part-names.ts';
import { fullDiskCommandPrefix } from './simulated-full-disk.ts';
import { SimulatedHardwareClient } from './simulated-hardware-client.ts';
import { DemoTechnicianApiError, DemoTechnicianClient, type DemoTechnicianPass } from './demo-technician-client.ts';

const STATUS_POLL_MS = 1000;
const CLAIM_POLL_MS = 50;
const MAX_PAST_EVENTS = 50;

export interface ControllerProcessOptions {
  /** Returns a technician pass, which a claimed controller requires. */
  readonly pass: () => Promise<DemoTechnicianPass>;
  readonly onLive: (message: TechnicianLiveMessage) => void;
  readonly onStatus: (status: TechnicianStatusResponse) => void;
  readonly onRules: (rules: TechnicianInputRulesResponse['input_rules']) => void;
  /** Events from before the simulator connected, newest first. */
  readonly onPastEvents: (events: readonly TechnicianEventResponse[]) => void;
  readonly onEnded: () => void;
}

/** One run of the firmware process, from power on to power off. */
export class ControllerProcess {
  readonly process: LintelProcess;
  readonly #plan: DemoControllerPlan;
  readonly #callbacks: ControllerProcessOptions;
  #parts: SimulatedHardwareClient | null = null;
  #technician: DemoTechnicianClient | null = null;
  #pollTimer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  page: string | null = null;

  constructor(plan: DemoControllerPlan, upstreamUrl: string, isDiskFull: boolean, callbacks: ControllerProcessOptions) {
    this.#plan = plan;
    this.#callbacks = callbacks;
    const { profileFile, dataDir, name, logFile } = plan;
    const page = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];
    // A relative data folder keeps the path of the parts socket short.
    const args = ['device', '--profile', profileFile, '--data', basename(dataDir), '--upstream', upstreamUrl, ...page];
    const commandPrefix = isDiskFull ? fullDiskCommandPrefix : [];
    this.process = new LintelProcess({ name, args, logFile, cwd: dirname(dataDir), commandPrefix });
    void this.process.exited.then(() => this.#handleExit());
  }

  /** Waits until the firmware runs, and sets the inputs to `levels`. */
  async ready(levels: Readonly<Record<string, boolean>>): Promise<void> {
    const { technician } = await this.process.ready<{ readonly technician: string | null }>();
    this.#parts = await SimulatedHardwareClient.open(this.#plan.dataDir, 'parts.sock');
    for (const [input, isActive] of Object.entries(levels)) await this.setInput(input, isActive);
    if (technician === null) return;
    this.page = technician;
    this.#technician = new DemoTechnicianClient(technician, this.#file('certificate.pem'));
    await this.#login();
    await this.#follow();
  }

  /** Uses the setup code until the controller is claimed, then a technician pass of the site. */
  async #login(): Promise<void> {
    const technician = this.#technician!;
    const { login } = await technician.request<TechnicianHelloResponse>('GET', 'hello');
    if (!login.includes('code')) return technician.loginWithPass(await this.#callbacks.pass());
    return technician.login({ code: this.#file('setup-code').trim() });
  }

  #file(name: string): string {
    return readFileSync(join(this.#plan.dataDir, 'technician', name), 'utf8');
  }

  async #follow(): Promise<void> {
    const technician = this.#technician!;
    await technician.live(this.#callbacks.onLive, () => this.#reconnect());
    await this.#catchUp(technician);
    await this.refreshStatus();
  }

  /** Reads the events that the bridge has not confirmed. It provides all older events. */
  async #catchUp(technician: DemoTechnicianClient): Promise<void> {
    const { waiting_events } = await technician.request<TechnicianStatusResponse>('GET', 'status');
    if (waiting_events === 0) return;
    const limit = Math.min(waiting_events, MAX_PAST_EVENTS);
    const { data } = await technician.request<{ data: TechnicianEventResponse[] }>('GET', `events?limit=${limit}`);
    this.#callbacks.onPastEvents(data);
  }

  /** Logs in again: a session ends after eight hours. */
  #reconnect(): void {
    if (this.#hasEnded) return;
    this.#pollTimer = setTimeout(() => {
      this.#login()
        .then(() => this.#follow())
        .catch(() => this.#reconnect());
    }, STATUS_POLL_MS);
  }

  async refreshStatus(): Promise<void> {
    clearTimeout(this.#pollTimer);
    if (this.#hasEnded) return;
    try {
      this.#callbacks.onStatus(await this.#technician!.request<TechnicianStatusResponse>('GET', 'status'));
    } catch (error) {
      if (error instanceof DemoTechnicianApiError && error.status === 401) return this.#reconnect();
    }
    clearTimeout(this.#pollTimer);
    if (!this.#hasEnded) this.#pollTimer = setTimeout(() => void this.refreshStatus(), STATUS_POLL_MS);
  }

  /** Keeps the known rules if the controller does not respond. */
  async refreshRules(): Promise<void> {
    const rules = await this.#technician?.request<TechnicianInputRulesResponse>('GET', 'input_rules').catch(() => null);
    if (rules != null) this.#callbacks.onRules(rules.input_rules);
  }

  /** Resolves when the bridge has accepted the claim, rejects when it refuses. */
  async claim(ticket: string): Promise<void> {
    if (this.#technician === null) throw new Error('The controller has no technician page');
    await this.#technician.request('POST', 'claim', { ticket });
    for (;;) {
      const { state, message } = await this.#technician.request<TechnicianClaimStateResponse>('GET', 'claim');
      if (state === 'claimed') return;
      if (state === 'refused') throw new Error(message ?? 'The bridge refused the claim');
      await delay(CLAIM_POLL_MS);
    }
  }

  /** Returns null on success, otherwise the reason for the failure. */
  sendCommand(command: object): Promise<string | null> {
    return this.#parts?.send(command) ?? Promise.resolve('The controller is still starting');
  }

  setInput(input: string, isActive: boolean): Promise<string | null> {
    return this.sendCommand({ input, level: isActive ? 'active' : 'inactive' });
  }

  #handleExit(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#pollTimer);
    this.#parts?.close();
    this.#technician?.close();
    this.#callbacks.onEnded();
  }
}
