import { once } from 'node:events';
import { connect } from 'node:net';
import { startTechnician } from '@lintel/device-runtime/technician/start';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TechnicianDoor } from '../support/technician/technician-door.ts';

let door: TechnicianDoor;
beforeEach(async () => {
  door = await TechnicianDoor.opened();
});
afterEach(() => door.remove());

it('takes another port when its own is taken', async () => {
  const { port } = new URL(door.technician.url);
  const second = await startTechnician({
    dataDir: door.folder,
    device: door.device,
    productId: 'laptop-simulator',
    log: () => undefined,
    host: '127.0.0.1',
    port: Number(port),
    console: () => undefined,
  });
  expect(new URL(second.url).port).not.toBe(port);
  await second.stop();
});

it('stops at once, whoever is connected and says nothing', async () => {
  await door.client.login({ code: door.setupCode });
  const { ended } = await door.client.live();
  const silent = connect(Number(new URL(door.technician.url).port), '127.0.0.1');
  await once(silent, 'connect');
  const cut = once(silent, 'close');
  await door.technician.stop();
  await Promise.all([cut, ended]);
});
