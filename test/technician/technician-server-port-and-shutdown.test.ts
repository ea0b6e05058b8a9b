import { once } from 'node:events';
import { connect } from 'node:net';
import { startTechnicianServer } from '@lintel/device-runtime/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
});
afterEach(() => door.remove());

describe('technician server', () => {
  it('uses another port when its own is in use', async () => {
    const { port } = new URL(door.technician.url);
    const second = await startTechnicianServer({
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

  it('closes idle connections and live streams when it stops', async () => {
    await door.client.login({ code: door.setupCode });
    const { ended } = await door.client.live();
    const silent = connect(Number(new URL(door.technician.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const cut = once(silent, 'close');
    await door.technician.stop();
    await Promise.all([cut, ended]);
  });
});
