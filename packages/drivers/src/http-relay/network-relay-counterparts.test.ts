import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type HardwareBus, hardwareBusSchema } from '../drivers.ts';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { lighttpd, type LighttpdOptions, startLighttpd } from '@lintel/test/support/hardware/lighttpd-relay';
import { openTestBus } from '../testing/open-test-bus.ts';
import { SimulatedShelly } from '@lintel/test/support/hardware/simulated-shelly';
import { requireProgram } from '@lintel/test/support/require-program';

const PASSWORD = 'correct horse';

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

const startServer = async (options: Partial<LighttpdOptions> = {}) => {
  const server = await startLighttpd({ method: 'digest', user: 'admin', password: PASSWORD, ...options });
  closing.push(server.stop);
  return server;
};

const startShelly = async (password: string | null) => {
  const shelly = new SimulatedShelly();
  shelly.password = password;
  await shelly.start();
  closing.push(() => shelly.stop());
  return shelly;
};

const openOutputs = async (bus: HardwareBus, password = PASSWORD) => {
  const prepare = (dataDir: string): void =>
    writeFileSync(join(dataDir, 'relay-bus.password'), password, { mode: 0o600 });
  const opened = await openTestBus(bus, { prepare });
  closing.push(opened.close);
  return opened.outputs!;
};

const openShelly = (tcp_port: number) => {
  const bus = { driver: 'shelly', host: '127.0.0.1', tcp_port, allow_network_relay: true };
  return openOutputs(hardwareBusSchema.parse({ ...bus, outputs: { strike: { switch: 1 } } }));
};

describe('Relays behind lighttpd', () => {
  const openHttpRelay = (url: string, authentication: 'basic' | 'digest', password?: string) => {
    const strike = {
      on: { path: '/relay.cgi?turn=on' },
      off: { path: '/relay.cgi?turn=off', method: 'GET' },
      state: { path: '/relay.cgi', on_text: 'closed' },
    };
    const relay = { driver: 'http-relay', allow_network_relay: true, authentication, outputs: { strike } };
    const bus = hardwareBusSchema.parse({ ...relay, url: url.replace('http:', 'https:') });
    // The server of the test has no certificate; a profile with http and a password in clear text is rejected.
    return openOutputs({ ...bus, url } as HardwareBus, password);
  };

  it.for(['basic', 'digest'] as const)('are switched with %s authentication', async (method, context) => {
    requireProgram(context, lighttpd);
    const server = await startServer({ method });
    const outputs = await openHttpRelay(server.url, method);
    outputs.energize('strike', null);
    await expect.poll(() => server.relay()).toBe('closed');
    outputs.release('strike');
    await expect.poll(() => server.relay()).toBe('open');
    expect(outputs.faultOf('strike')).toBeNull();
  });

  it('are switched with a Shelly relay behind digest authentication', async context => {
    requireProgram(context, lighttpd);
    const shelly = await startShelly(null);
    const { port } = await startServer({ rpcPort: shelly.port });
    const outputs = await openShelly(port);
    outputs.energize('strike', null);
    await expect.poll(() => shelly.switches).toEqual([false, true]);
    expect(outputs.faultOf('strike')).toBeNull();
  });

  it('have a fault while the password is wrong', async context => {
    requireProgram(context, lighttpd);
    const server = await startServer();
    const outputs = await openHttpRelay(server.url, 'digest', 'wrong horse');
    await expect.poll(() => outputs.faultOf('strike')).toMatch(/refuses the password$/);
  });
});

/** The parts of node-red-contrib-shelly that send requests to a device. */
interface NodeRedShelly {
  readonly generic: {
    inputParserGeneric2(command: object): { readonly method: string; readonly route: string; readonly data: object };
  };
  readonly shelly: {
    shellyRequestAsync(
      axios: unknown,
      method: string,
      route: string,
      params: null,
      data: object | null,
      credentials: { readonly hostname: string; readonly username: string; readonly password: string },
    ): Promise<unknown>;
  };
  readonly axios: unknown;
}

/** Skips the test if the package is not in the folder that COUNTERPARTS names. */
const requireNodeRedShelly = (context: TestContext): NodeRedShelly => {
  const folder = process.env['COUNTERPARTS'];
  if (folder === undefined)
    context.skip(
      'node-red-contrib-shelly is not installed (npm install --prefix DIR node-red-contrib-shelly@11, COUNTERPARTS=DIR)',
    );
  const load = createRequire(join(folder, 'package.json'));
  return {
    generic: load('node-red-contrib-shelly/shelly/nodes/gen2/parsers/generic.js') as NodeRedShelly['generic'],
    shelly: load('node-red-contrib-shelly/shelly/lib/shelly.js') as NodeRedShelly['shelly'],
    axios: load('axios'),
  };
};

describe('Simulated Shelly relay', () => {
  it('is switched and read by node-red-contrib-shelly and by the driver alike', async context => {
    const { generic, shelly: client, axios } = requireNodeRedShelly(context);
    const shelly = await startShelly(PASSWORD);
    const credentials = { hostname: `127.0.0.1:${shelly.port}`, username: 'admin', password: PASSWORD };
    const status = () => client.shellyRequestAsync(axios, 'GET', '/rpc/Shelly.GetStatus', null, null, credentials);
    const command = { method: 'Switch.Set', parameters: { id: 1, on: true, toggle_after: 2.5 } };
    const { method, route, data } = generic.inputParserGeneric2(command);
    expect(await client.shellyRequestAsync(axios, method, route, null, data, credentials)).toMatchObject({
      result: { was_on: false },
    });
    const calls = [...shelly.calls];
    expect(await status()).toMatchObject({ 'switch:1': { output: true } });
    const outputs = await openShelly(shelly.port);
    await expect.poll(status).toMatchObject({ 'switch:1': { output: false } });
    outputs.energize('strike', 2_500);
    await expect.poll(status).toMatchObject({ 'switch:1': { output: true } });
    expect(shelly.calls.at(-1)).toEqual(calls[0]);
  });
});
