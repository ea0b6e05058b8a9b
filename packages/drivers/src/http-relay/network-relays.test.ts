import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hardwareBusSchema } from '../drivers.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '@lintel/test/support/require-program';
import { openTestBus } from '../testing/open-test-bus.ts';
import { SimulatedShelly } from '@lintel/test/support/hardware/simulated-shelly';
import { outputLinesContract } from '../testing/output-lines-contract.ts';

const PASSWORD = 'correct horse';

let closing: (() => unknown)[] = [];
beforeEach(() => void (closing = []));
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const writePassword =
  (password: string, mode = 0o600) =>
  (dataDir: string): void => {
    const path = join(dataDir, 'relay-bus.password');
    writeFileSync(path, `${password}\n`);
    chmodSync(path, mode);
  };

const startShelly = async (before: (shelly: SimulatedShelly) => void = () => undefined): Promise<SimulatedShelly> => {
  const shelly = new SimulatedShelly();
  shelly.password = PASSWORD;
  before(shelly);
  await shelly.start();
  return shelly;
};

const openShelly = (shelly: SimulatedShelly, prepare = writePassword(PASSWORD), changes: object = {}) => {
  const bus = { driver: 'shelly', host: '127.0.0.1', tcp_port: shelly.port, allow_network_relay: true };
  return openTestBus(hardwareBusSchema.parse({ ...bus, outputs: { strike: { switch: 1 } }, ...changes }), { prepare });
};

const openBench = async () => {
  const shelly = await startShelly();
  const { outputs, close } = await openShelly(shelly);
  await expect.poll(() => shelly.calls.length).toBeGreaterThan(0);
  return {
    outputs: outputs!,
    isOn: async () => shelly.switches[1]!,
    unplug: () => shelly.stop(),
    plugIn: async () => {
      shelly.switches.fill(false);
      await shelly.start();
    },
    close: async () => {
      await close();
      await shelly.stop();
    },
  };
};

outputLinesContract('Shelly relay', openBench);

describe('Shelly relay', () => {
  const open = async (
    before: (shelly: SimulatedShelly) => void = () => undefined,
    prepare = writePassword(PASSWORD),
  ) => {
    const shelly = await startShelly(before);
    closing.push(() => shelly.stop());
    const { outputs, close } = await openShelly(shelly, prepare);
    closing.push(close);
    return { shelly, outputs: outputs! };
  };

  it('times pulses itself, so that the door locks after a crash of the controller', async () => {
    const { shelly, outputs } = await open();
    await expect.poll(() => shelly.calls).toEqual([['Switch.Set', { id: 1, on: false }]]);
    outputs.energize('strike', 2_500);
    await expect.poll(() => shelly.calls.at(-1)).toEqual(['Switch.Set', { id: 1, on: true, toggle_after: 2.5 }]);
    expect(shelly.challenges).toBe(1);
  });

  it('works with a device that accepts each nonce once', async () => {
    const { shelly, outputs } = await open(device => (device.usesNonceOnce = true));
    await expect.poll(() => shelly.calls).toHaveLength(1);
    outputs.energize('strike', null);
    await expect.poll(() => shelly.switches[1]).toBe(true);
    expect(shelly.challenges).toBeGreaterThan(1);
  });

  it('has a fault, without the password in it, while the password is wrong', async () => {
    const { shelly, outputs } = await open(undefined, writePassword('wrong horse'));
    await expect.poll(() => outputs.faultOf('strike')).toBe(`127.0.0.1:${shelly.port} refuses the password`);
    expect(() => outputs.energize('strike', null)).toThrow('refuses the password');
  });

  it('has a fault while its password file is missing or readable by others', async () => {
    const missing = await open(undefined, () => undefined);
    await expect.poll(() => missing.outputs.faultOf('strike')).toMatch(/relay-bus\.password is missing/);
    const open2 = await open(undefined, writePassword(PASSWORD, 0o644));
    await expect.poll(() => open2.outputs.faultOf('strike')).toMatch(/is readable by others: chmod 600/);
  });

  it('has a fault while a command is not confirmed, and none after the next confirmed one', {
    tags: ['slow'],
  }, async () => {
    const { shelly, outputs } = await open();
    await expect.poll(() => outputs.faultOf('strike')).toBeNull();
    shelly.isSilent = true;
    outputs.energize('strike', 500);
    await expect.poll(() => outputs.faultOf('strike'), { timeout: 10_000 }).toMatch(/does not respond$/);
    shelly.isSilent = false;
    await expect.poll(() => outputs.faultOf('strike'), { timeout: 10_000 }).toBeNull();
    expect(shelly.switches).toEqual([false, false]);
  });

  it('has a fault for a switch that it does not have', async () => {
    const { outputs } = await open(device => void (device.switches.length = 1));
    await expect.poll(() => outputs.faultOf('strike')).toMatch(/no switch 1|value not found/);
  });

  it('is tested against digest authentication as curl speaks it', async context => {
    requireProgram(context, { command: 'curl', install: 'apt-get install curl' });
    const shelly = await startShelly();
    closing.push(() => shelly.stop());
    const body = JSON.stringify({ id: 1, method: 'Shelly.GetStatus', params: {} });
    const curl = spawn('curl', [
      '-s',
      '--digest',
      '-u',
      `admin:${PASSWORD}`,
      '-d',
      body,
      `http://127.0.0.1:${shelly.port}/rpc`,
    ]);
    let answer = '';
    curl.stdout.on('data', chunk => (answer += String(chunk)));
    await once(curl, 'close');
    expect(JSON.parse(answer)).toMatchObject({ result: { 'switch:0': { output: false } } });
  });
});

describe('HTTP relay', () => {
  const startDevice = async () => {
    const device = {
      isOn: false,
      isStuck: false,
      authorizations: [] as (string | undefined)[],
      requests: [] as string[],
    };
    const server = createServer((request, response) => {
      device.authorizations.push(request.headers.authorization);
      if (request.headers.authorization !== 'Bearer s3cret') return response.writeHead(401).end();
      let body = '';
      request.on('data', chunk => (body += String(chunk)));
      request.on('end', () => {
        if (request.method !== 'GET') {
          device.requests.push(`${request.method} ${request.url} ${body}`);
          if (!device.isStuck) device.isOn = request.url === '/relay?turn=on';
        }
        response.end(JSON.stringify({ relay: device.isOn ? 'closed' : 'open' }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { device, port: (server.address() as AddressInfo).port };
  };

  const busFor = (port: number, changes: object = {}) => ({
    driver: 'http-relay',
    url: `https://127.0.0.1:${port}`,
    authentication: 'bearer',
    allow_network_relay: true,
    outputs: {
      strike: {
        on: { path: '/relay?turn=on', body: '{"go":1}' },
        off: { path: '/relay?turn=off', method: 'PUT' },
        state: { path: '/relay', on_text: '"closed"' },
      },
    },
    ...changes,
  });

  const open = async () => {
    const { device, port } = await startDevice();
    const bus = hardwareBusSchema.parse(busFor(port));
    // The device of the test has no certificate; a profile with http and a token is refused.
    const { outputs, close } = await openTestBus({ ...bus, url: `http://127.0.0.1:${port}` } as typeof bus, {
      prepare: writePassword('s3cret'),
    });
    closing.push(close);
    return { device, outputs: outputs! };
  };

  it('sends the requests of the profile with the token, and asks for the state', async () => {
    const { device, outputs } = await open();
    await expect.poll(() => device.requests).toEqual(['PUT /relay?turn=off ']);
    outputs.energize('strike', null);
    await expect.poll(() => device.requests.at(-1)).toBe('POST /relay?turn=on {"go":1}');
    await expect.poll(() => device.isOn).toBe(true);
    expect(new Set(device.authorizations)).toEqual(new Set(['Bearer s3cret']));
  });

  it('has a fault when the device confirms but does not switch', { tags: ['slow'] }, async () => {
    const { device, outputs } = await open();
    await expect.poll(() => device.requests).toHaveLength(1);
    device.isStuck = true;
    outputs.energize('strike', 500);
    await expect.poll(() => outputs.faultOf('strike')).toBe('The relay is still off');
    device.isStuck = false;
    await expect.poll(() => outputs.faultOf('strike'), { timeout: 10_000 }).toBeNull();
  });

  it.each([
    ['without permission', { allow_network_relay: undefined }, 'allow_network_relay'],
    ['with a password in clear text', { url: 'http://relay.lan', authentication: 'basic' }, 'authentication'],
    ['with a password in the address', { url: 'https://admin:pw@relay.lan' }, 'url'],
  ])('is refused %s', (_, changes, field) => {
    const { error } = hardwareBusSchema.safeParse(busFor(80, changes));
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});
