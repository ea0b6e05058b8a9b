import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instant } from '@lintel/access-core/instant';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { BridgeProcess } from '../support/processes/bridge-process.ts';

let inProcess: TestBridge;
let client: TestOrganizationClient;
let bridge: BridgeProcess;
beforeEach(async () => {
  inProcess = await TestBridge.open({ clock: () => instant(Date.now()) });
  inProcess.now = instant(Date.now());
  client = await inProcess.newOrganization();
  await inProcess.bridge.close();
  bridge = new BridgeProcess(inProcess.dataDir);
});
afterEach(async context => {
  await bridge.kill();
  keepFailureEvidence(context, { directories: [inProcess.dataDir], logs: { bridge: bridge.log } });
  rmSync(inProcess.dataDir, { recursive: true, force: true });
});

const headers = () => ({
  authorization: `Bearer ${client.token}`,
  'content-type': 'application/json',
  'idempotency-key': 'reservation-4711',
});
const body = JSON.stringify({ name: 'Ann' });

/** Sends the request and never reads the response. */
const sendUnanswered = async (url: string): Promise<() => void> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => undefined);
  const lines = Object.entries({ ...headers(), host: hostname, 'content-length': String(body.length) });
  const head = ['POST /v2/members HTTP/1.1', ...lines.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return () => socket.destroy();
};

describe('A write with an Idempotency-Key', { tags: ['slow'] }, () => {
  it('happens once when the bridge is killed after the commit and before the response arrives', async () => {
    const { http } = await bridge.start();
    const services = await openBridgeServices({ dataDir: inProcess.dataDir });
    const members = () =>
      services.storage.reader
        .selectFrom('members')
        .select('id')
        .where('organization_id', '=', client.organizationId)
        .execute();
    const disconnect = await sendUnanswered(http);
    await expect.poll(members, { interval: 1 }).toHaveLength(1);
    await bridge.kill();
    disconnect();
    const again = await bridge.start();
    const repeat = () => fetch(`${again.http}/v2/members`, { method: 'POST', headers: headers(), body });
    for (const response of [await repeat(), await repeat()]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('idempotency-replayed')).toBe('true');
      expect((await response.json()) as object).toMatchObject({ id: (await members())[0]!.id, name: 'Ann' });
    }
    expect(await members()).toHaveLength(1);
    await services.close();
  });
});
