import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { createController, type ControllerInstance } from '@lintel/device-runtime/main';
import {
  createDeviceEntry,
  createGadgetEntry,
  createMemberEntry,
  createMemberGroupEntry,
  createSiteEntry,
  createSnapshotChunk,
} from '@lintel/device-runtime/testing';
import { simulatedHardwareOpener } from '@lintel/simulator/virtual-hardware/simulated-hardware-opener';
import { openHardware } from '@lintel/device-runtime/hardware';

export const shippedProfile = (id: string): Profile => loadProfiles().find(({ product_id }) => product_id === id)!;

/** A controller for a profile, and Ann with PIN 2580 and a card, who may do everything. */
class ProfileController {
  readonly device: ControllerInstance;

  constructor(device: ControllerInstance) {
    this.device = device;
  }

  async serve(...gadgets: readonly Parameters<typeof createGadgetEntry>[0][]): Promise<void> {
    const { controller, digestKey } = this.device;
    const digests = new DeviceCredentialDigester(digestKey);
    const ann = createMemberEntry(digests, 'mem_ann', { pins: ['2580'], cards: ['04a1b2c3'], groups: ['mg_all'] });
    const entries = [
      createDeviceEntry(),
      createSiteEntry(),
      createMemberGroupEntry('mg_all', [{}]),
      ann,
      ...gadgets.map(createGadgetEntry),
    ];
    const received = await controller.receiveSnapshot(createSnapshotChunk(entries, 1, digests.keyId));
    if (received.kind !== 'applied') throw new Error(`the slice was not applied: ${JSON.stringify(received)}`);
  }

  codes(): string[] {
    return this.device.controller.faults().map(({ code }) => code);
  }
}

/** Starts controllers in the data folder of one test, and closes them. */
export class ProfileControllers {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'lintel-parts-'));
  readonly closing: (() => unknown)[] = [];

  context(clock: MonotonicClock = new ProcessClock()) {
    return {
      log: () => undefined,
      clock,
      dataDir: this.dataDir,
      loadVirtualHardware: async () => simulatedHardwareOpener,
    };
  }

  async start(
    profile: Profile,
    open?: Parameters<typeof openHardware>[2],
    clock?: MonotonicClock,
  ): Promise<ProfileController> {
    const parts = await openHardware(profile, this.context(clock), open);
    const device = createController({ dataDir: this.dataDir, log: () => undefined, ...parts });
    this.closing.push(
      () => parts.close(),
      () => device.stop(),
    );
    return new ProfileController(device);
  }

  async close(): Promise<void> {
    for (const close of this.closing.reverse()) await close();
    rmSync(this.dataDir, { recursive: true });
  }
}
