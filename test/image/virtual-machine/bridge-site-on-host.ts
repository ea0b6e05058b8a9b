import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { startBridge } from '../../support/processes/bridge-process.ts';
import type { StartedProgram } from '../../support/processes/start-program.ts';
import { HOST_IN_GUEST } from './guest-network.ts';
import { findFreePort } from '../../support/find-free-port.ts';

const PIN = '2580';
const TAG = '62e3086ced';
/** The UID that the reader reports with `whole_tag`. */
const UID = `0000${TAG}`;

const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await runLintel(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
};

interface Ids {
  readonly org: string;
  readonly site: string;
}

/** A bridge process on the host with one site, where Ann may open every door by PIN and tag. */
export class ImageSite {
  readonly pin = PIN;
  readonly tag = TAG;
  readonly ports: { readonly http: number; readonly https: number; readonly mqtts: number };
  readonly #data: string;
  #bridge: StartedProgram | null = null;
  #ids: Ids = { org: '', site: '' };
  #authorization = '';

  private constructor(data: string, ports: ImageSite['ports']) {
    this.#data = data;
    this.ports = ports;
  }

  static async open(folder: string): Promise<ImageSite> {
    mkdirSync(join(folder, 'bridge/release-keys'), { recursive: true, mode: 0o700 });
    const ports = { http: await findFreePort(), https: await findFreePort(), mqtts: await findFreePort() };
    const site = new ImageSite(join(folder, 'bridge'), ports);
    await json('release', 'keys', '--out', site.releaseKey);
    copyFileSync(`${site.releaseKey}.pub`, join(site.releaseKeys, 'release.key.pub'));
    await site.startBridge();
    await site.#seed(join(folder, 'seed.json'));
    return site;
  }

  /** The private key that signs releases. */
  get releaseKey(): string {
    return join(this.#data, '../release.key');
  }

  get releaseKeys(): string {
    return join(this.#data, 'release-keys');
  }

  get url(): string {
    return `https://${HOST_IN_GUEST}:${this.ports.https}`;
  }

  get fingerprint(): string {
    return this.#bridge!.ready['ca_fingerprint']!;
  }

  async startBridge(): Promise<void> {
    const { http, https, mqtts } = this.ports;
    const numbers = ['--http-port', http, '--https-port', https, '--mqtts-port', mqtts].map(String);
    this.#bridge = await startBridge(this.#data, '--host', '127.0.0.1', ...numbers, '--public-url', this.url);
  }

  async stopBridge(): Promise<void> {
    await this.#bridge?.stop('SIGKILL');
    this.#bridge = null;
  }

  async #seed(file: string): Promise<void> {
    const seed = {
      organization: { key: 'org', name: 'Organization' },
      sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
    };
    writeFileSync(file, JSON.stringify(seed));
    const { ids } = await json<{ ids: Ids }>('seed', file, '--data', this.#data);
    this.#ids = ids;
    const scope = ['--organization', ids.org, '--scope', 'full_read_write'];
    const { access_token } = await json<{ access_token: string }>('token', '--data', this.#data, ...scope);
    this.#authorization = `Bearer ${access_token}`;
    const group = await this.call('POST', '/v2/member_groups', { name: 'All', permissions: [{ site_id: ids.site }] });
    const ann = await this.call('POST', '/v2/members', { name: 'Ann' });
    await this.call('POST', `/v2/members/${ann.id}/group_associations`, { member_group_id: group.id });
    await this.call('POST', `/v2/members/${ann.id}/pins`, { pin: PIN });
    await this.call('POST', `/v2/members/${ann.id}/cards`, { uid: UID });
  }

  async call<T = { id: string }>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: this.#authorization, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${this.ports.http}${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async claimCode(): Promise<string> {
    const path = `/admin/v1/organizations/${this.#ids.org}/claim_tickets`;
    return (await this.call<{ code: string }>('POST', path, { site_id: this.#ids.site, expires_in: 86_400 })).code;
  }

  /** Ann's id. */
  async memberId(): Promise<string> {
    const [member] = (await this.call<{ data: { id: string }[] }>('GET', '/v2/members')).data;
    return member!.id;
  }

  async devices(): Promise<readonly { readonly id: string; readonly status: { readonly online: boolean } }[]> {
    return (await this.call<{ data: { id: string; status: { online: boolean } }[] }>('GET', '/v2/devices')).data;
  }

  /** Rolls a release out to all controllers and returns the id of the roll-out. */
  async rollOut(file: string): Promise<string> {
    const path = `/admin/v1/organizations/${this.#ids.org}`;
    const headers = { authorization: this.#authorization, 'content-type': 'application/octet-stream' };
    const url = `http://127.0.0.1:${this.ports.http}${path}/releases`;
    const answer = await fetch(url, { method: 'POST', headers, body: readFileSync(file) });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const { id: release_id } = (await answer.json()) as { id: string };
    const order = { release_id, all: true, rate: 50_000_000 };
    return (await this.call('POST', `${path}/rollouts`, order)).id;
  }

  /** State and reason of the roll-out on the only controller. */
  async outcomeOf(rollout: string): Promise<string> {
    const path = `/admin/v1/organizations/${this.#ids.org}/rollouts/${rollout}`;
    const [device] = (await this.call<{ devices: { state: string; reason: string | null }[] }>('GET', path)).devices;
    return [device?.state, device?.reason].filter(Boolean).join(' ');
  }

  /** The number of use events at the bridge. */
  async uses(): Promise<number> {
    return (await this.call<{ data: unknown[] }>('GET', '/v2/events?verb=use&object.type=gadget_action')).data.length;
  }

  /** Waits until no more events arrive. */
  async waitUntilSettled(): Promise<void> {
    let last = -1;
    const isSettled = async () => {
      const before = last;
      last = await this.uses();
      return last === before;
    };
    await vi.waitUntil(isSettled, { timeout: 60_000, interval: 3_000 });
  }

  /** Waits until the controller is online and has Ann's PIN. */
  async waitUntilServed(timeout: number): Promise<void> {
    const isOnline = async () => (await this.devices())[0]?.status.online ?? false;
    await vi.waitUntil(isOnline, { timeout, interval: 500 });
    const path = `/v2/members/${await this.memberId()}/pins`;
    const [pin] = (await this.call<{ data: { id: string }[] }>('GET', path)).data;
    const isKnown = async () => {
      const { doors } = await this.call<{ doors: { status: string }[] }>('GET', `/admin/v1/pins/${pin!.id}/reach`);
      return doors[0]?.status === 'served';
    };
    await vi.waitUntil(isKnown, { timeout: 120_000, interval: 500 });
  }
}
