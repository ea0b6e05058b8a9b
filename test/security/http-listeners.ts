import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayStatusServer } from '@lintel/gateway/testing';
import { PreparePageServer } from '@lintel/packaging/testing';
import { serveSimulatorPage } from '@lintel/simulator/testing';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

/** In the response of every protected resource. */
const SECRET = 'behind-the-door';

/** A running HTTP server with a resource that only the exact path may reach. */
export interface HttpListener {
  readonly url: string;
  readonly protectedPath: string;
  /** Credentials that are valid for the protected resource. */
  readonly headers: readonly string[];
  /** Text of the protected resource. */
  readonly content: string;
  /** Host names that the listener accepts, besides those of this machine. */
  readonly hosts: readonly string[];
  close(): Promise<void>;
}

const openBridge = async (): Promise<HttpListener> => {
  const bridge = await TestBridge.open({ publicUrl: 'https://doors.example.com' });
  const client = await bridge.newOrganization();
  await client.callOk('PATCH', '/organization', { metadata: { note: SECRET } });
  return {
    url: await bridge.listen('127.0.0.1', 0),
    protectedPath: '/v2/organization',
    headers: [`Authorization: Bearer ${client.token}`],
    content: SECRET,
    hosts: ['doors.example.com', 'doors.example.com:443'],
    close: () => bridge.close(),
  };
};

const openMetrics = async (): Promise<HttpListener> => {
  const bridge = await TestBridge.open();
  const port = await bridge.bridge.listenForMetrics('127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}`,
    protectedPath: '/metrics',
    headers: [],
    content: '# HELP',
    hosts: [],
    close: () => bridge.close(),
  };
};

const openTechnicianPage = async (): Promise<HttpListener> => {
  const controller = await TechnicianApiFixture.create();
  await controller.client.login({ code: controller.setupCode });
  return {
    url: controller.technician.url,
    protectedPath: '/technician/v1/status',
    headers: [`Authorization: Bearer ${controller.client.token}`],
    content: 'laptop-simulator',
    hosts: [`${controller.technician.name}.local`],
    close: () => controller.remove(),
  };
};

const openGatewayStatus = async (): Promise<HttpListener> => {
  const server = await GatewayStatusServer.listen(0, () => ({ note: SECRET }) as never);
  const close = () => server.close();
  return { url: server.url, protectedPath: '/status.json', headers: [], content: SECRET, hosts: [], close };
};

const openSimulator = async (): Promise<HttpListener> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-simulator-page-'));
  const pageFile = join(folder, 'simulator.html');
  writeFileSync(pageFile, '<title>Simulator</title>');
  const server = await serveSimulatorPage(pageFile, { note: SECRET });
  return {
    url: server.url,
    protectedPath: '/api/world',
    headers: [],
    content: SECRET,
    hosts: [],
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
};

const openPreparePage = async (): Promise<HttpListener> => {
  const actions = { choices: () => ({ note: SECRET }), prepare: async () => ({}) };
  const server = await PreparePageServer.listen(actions);
  const { origin, hash } = new URL(server.url);
  return {
    url: origin,
    protectedPath: '/api/choices',
    headers: [`Authorization: Bearer ${hash.slice(1)}`],
    content: SECRET,
    hosts: [],
    close: () => server.close(),
  };
};

export const httpListeners: ReadonlyArray<readonly [string, () => Promise<HttpListener>]> = [
  ['bridge', openBridge],
  ['metrics of the bridge', openMetrics],
  ['technician page of a controller', openTechnicianPage],
  ['status page of the gateway', openGatewayStatus],
  ['simulator', openSimulator],
  ['page for preparing cards', openPreparePage],
];
