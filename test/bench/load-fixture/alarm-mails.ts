import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import {
  insertDevice,
  insertOrganization,
  insertSite,
  issueAccessToken,
  queueAlertMails,
} from '@lintel/cloud-bridge/testing';
import type { TestMailServer } from '../../support/bridge/mail-server.ts';

const door = {
  name: 'Front door',
  actions: [{ id: 'open', name: 'Open' }],
  states: [
    { id: 'closed', name: 'Closed' },
    { id: 'forced', name: 'Forced open' },
  ],
  signals: [],
};

interface WatchedDoor {
  readonly organizationId: string;
  readonly token: string;
  readonly gadgetId: string;
  readonly email: string;
}

/** An organization with a virtual door and a confirmed address. */
const addWatchedDoor = async (dataDir: string): Promise<WatchedDoor> => {
  const services = await openBridgeServices({ dataDir });
  try {
    const organizationId = await insertOrganization(services);
    const token = await issueAccessToken(services, {
      organizationId,
      applicationId: services.newId('oauth_application'),
    });
    const { id: site_id } = await insertSite(services, organizationId, {});
    const form = { site_id: site_id as never, name: 'Controller', product_id: 'virtual', gadgets: [door] };
    const { gadgets } = await insertDevice(services, organizationId, form);
    const email = `night@${organizationId}.test`;
    await services.storage.writer
      .insertInto('alert_addresses')
      .values({
        organization_id: organizationId,
        email,
        token_hash: '',
        sent_at: 0,
        expires_at: 0,
        confirmed_at: services.clock(),
      })
      .execute();
    return { organizationId, token, gadgetId: gadgets[0]!.id, email };
  } finally {
    await services.close();
  }
};

/** A mail server in a process of its own, so that it does not delay what this process measures. */
export class MailServerProcess {
  readonly options: TestMailServer['options'];
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, options: TestMailServer['options']) {
    this.#process = child;
    this.options = options;
  }

  static async start(): Promise<MailServerProcess> {
    const child = fork(join(import.meta.dirname, 'mail-server-process.ts'));
    const [options] = (await once(child, 'message')) as [TestMailServer['options']];
    return new MailServerProcess(child, options);
  }

  async waitForMailTo(email: string): Promise<void> {
    const arrived = once(this.#process, 'message');
    this.#process.send(email);
    await arrived;
  }

  stop(): void {
    this.#process.kill('SIGKILL');
  }
}

/** How long the alarm of one organization takes while another has many mails that wait. */
export class AlarmMails {
  readonly #dataDir: string;
  readonly #flooding: WatchedDoor;
  readonly #other: WatchedDoor;

  private constructor(dataDir: string, flooding: WatchedDoor, other: WatchedDoor) {
    this.#dataDir = dataDir;
    this.#flooding = flooding;
    this.#other = other;
  }

  /** Before the bridge starts. */
  static async prepare(dataDir: string): Promise<AlarmMails> {
    return new AlarmMails(dataDir, await addWatchedDoor(dataDir), await addWatchedDoor(dataDir));
  }

  /** Seconds from the state of the door until the mail has arrived. */
  async measure(bridgeUrl: string, mails: MailServerProcess): Promise<number> {
    await this.#createRule(bridgeUrl, this.#other);
    const { organizationId, gadgetId, email } = this.#other;
    const start = performance.now();
    const path = `/organizations/${organizationId}/gadgets/${gadgetId}`;
    await this.#call(bridgeUrl, this.#other, 'PATCH', path, { state_id: 'forced' });
    await mails.waitForMailTo(email);
    return (performance.now() - start) / 1000;
  }

  /** Adds mails that wait. Not while something is measured, because it uses the database in this process. */
  async flood(bridgeUrl: string, waiting: number): Promise<void> {
    const { id } = await this.#createRule(bridgeUrl, this.#flooding);
    const services = await openBridgeServices({ dataDir: this.#dataDir });
    try {
      const emails = Array.from({ length: waiting }, (_, index) => `stranger${index}@flood.test`);
      await queueAlertMails(services, id, emails);
    } finally {
      await services.close();
    }
  }

  #createRule(bridgeUrl: string, owner: WatchedDoor): Promise<{ readonly id: string }> {
    const rule = { name: 'Forced', kind: 'door_forced', emails: [owner.email] };
    return this.#call(bridgeUrl, owner, 'POST', `/organizations/${owner.organizationId}/alert_rules`, rule);
  }

  async #call(
    bridgeUrl: string,
    { token }: WatchedDoor,
    method: string,
    path: string,
    body: object,
  ): Promise<{ readonly id: string }> {
    const response = await fetch(`${bridgeUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { readonly id: string };
  }
}
