import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessClock } from '@lintel/device-runtime/adapters/clock/process-clock';
import { DigestKeyFile } from '@lintel/device-runtime/adapters/digest-key/key-file';
import { ReopeningSerialLine } from '@lintel/device-runtime/adapters/serial-line/serial-line';
import { SerialKeypad } from '@lintel/device-runtime/adapters/serial-keypad/serial-keypad';
import { SimulatedInputs } from '@lintel/device-runtime/adapters/simulated/simulated-inputs';
import { simulatedWiring } from '@lintel/device-runtime/adapters/simulated/simulated-wiring';
import { LcusRelay } from '@lintel/device-runtime/adapters/usb-relay/lcus-relay';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import { createController } from '@lintel/device-runtime/main';
import { beforeEach, describe, expect, it } from 'vitest';
import { doorEntries, keyholders, pinOf, writeSlice } from '../../bench/tap-fixture/door-slice.ts';
import { requirePart } from '../../reporting/system-part.ts';
import { LcusBoard } from '../../support/hardware/lcus-board.ts';
import { openPty, pythonPart } from '../../support/processes/pty.ts';

const GARBAGE_BYTES = 30 * 2 ** 20;
const PIECE_BYTES = 64 * 1_024;
const soon = { timeout: 5_000, interval: 5 };

/** The whole firmware with a keypad and a relay on terminals. */
const openDoor = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-garbage-'));
  const digests = new CredentialDigests(new DigestKeyFile(join(dataDir, 'digest.key')).read());
  writeSlice(dataDir, [...doorEntries(), ...keyholders(100, digests)], digests.keyId);
  const [keys, relay] = await Promise.all([openPty(), openPty()]);
  const board = new LcusBoard(relay, false);
  const clock = new ProcessClock();
  const [keyLine, relayLine] = [keys, relay].map(({ path }) => new ReopeningSerialLine({ path, baud_rate: 9_600 }));
  const keypad = new SerialKeypad({ line: keyLine!, clock });
  const outputs = new LcusRelay({ line: relayLine!, clock, outputs: { 'strike-0': 1, green: 2, red: 3, buzzer: 4 } });
  const inputs = new SimulatedInputs();
  const wiring = simulatedWiring({ keypad, reader: null });
  const running = createController({
    dataDir,
    wiring,
    outputs,
    inputs,
    log: () => undefined,
  });
  await keyLine!.write(new Uint8Array());
  return {
    keys,
    board,
    inputs,
    controller: running.controller,
    close: async () => {
      await running.stop();
      await Promise.all([keypad.close(), outputs.close()]);
      await Promise.all([keys.close(), relay.close()]);
      rmSync(dataDir, { recursive: true });
    },
  };
};

describe('a door whose keypad sends garbage as fast as it can', () => {
  beforeEach(context => requirePart(context, pythonPart));

  it('stays shut and small, opens for the exit button meanwhile, and for a PIN when it is over', async () => {
    const { board, close, controller, inputs, keys } = await openDoor();
    const before = process.memoryUsage().rss;
    let [opened, isPressed] = [0, false];
    for (let sent = 0; sent < GARBAGE_BYTES; sent += PIECE_BYTES) {
      await keys.write(randomBytes(PIECE_BYTES));
      if (board.isOn(1)) opened++;
      if (isPressed || sent < GARBAGE_BYTES / 2) continue;
      expect(opened).toBe(0);
      inputs.press('exit-0');
      isPressed = true;
    }
    await expect.poll(() => opened > 0 || board.isOn(1), soon).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20);
    expect(controller.faults().some(({ code }) => code.startsWith('keypad'))).toBe(true);
    // The button's strike has fallen again by itself.
    await expect.poll(() => board.isOn(1), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => controller.faults().length, soon).toBe(0);
    await keys.write(Buffer.from(pinOf(0)));
    await expect.poll(() => board.isOn(1), soon).toBe(true);
    await close();
  }, 60_000);
});
