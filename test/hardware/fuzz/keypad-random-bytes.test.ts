import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSnapshot } from '@lintel/device-runtime/testing';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { DigestKeyFile } from '@lintel/device-runtime/credentials/digest-key-file';
import { LcusRelay, ReconnectingSerialLine, SerialKeypad } from '@lintel/drivers/testing/parts';
import { SimulatedInputs } from '@lintel/simulator/virtual-hardware/simulated-inputs';
import { createSimulatedWiring } from '@lintel/simulator/virtual-hardware/simulated-wiring';
import { DeviceCredentialDigester } from '@lintel/device-runtime/credentials/credential-digests';
import { createController } from '@lintel/device-runtime/main';
import { beforeEach, describe, expect, it } from 'vitest';
import { doorEntries, membersWithCredentials, pinOf } from '../../bench/tap-fixture/door-snapshot.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { requireProgram } from '../../support/require-program.ts';
import { SimulatedLcusBoard } from '../../support/hardware/simulated-lcus-board.ts';
import { openPty, requiredPython } from '../../support/processes/pty.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

const GARBAGE_BYTES = iterations({ sample: 2 ** 20, all: 30 * 2 ** 20 });
const PIECE_BYTES = 64 * 1_024;

/** The firmware with a keypad and a relay board on pseudo terminals. */
const openDoor = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-garbage-'));
  const digests = new DeviceCredentialDigester(new DigestKeyFile(join(dataDir, 'digest.key')).read());
  writeSnapshot(dataDir, [...doorEntries(), ...membersWithCredentials(100, digests)]);
  const [keys, relay] = await Promise.all([openPty(), openPty()]);
  const board = new SimulatedLcusBoard(relay, false);
  const clock = new ProcessClock();
  const [keyLine, relayLine] = [keys, relay].map(({ path }) => new ReconnectingSerialLine({ path, baud_rate: 9_600 }));
  const keypad = new SerialKeypad({ line: keyLine!, clock });
  const outputs = new LcusRelay({ line: relayLine!, clock, outputs: { 'strike-0': 1, green: 2, red: 3, buzzer: 4 } });
  const inputs = new SimulatedInputs();
  const wiring = createSimulatedWiring({ keypad, reader: null });
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

describe('Controller with a keypad that sends random bytes', () => {
  beforeEach(context => requireProgram(context, requiredPython));

  it('keeps the door locked, opens it for the exit button, and for a PIN afterwards', {
    tags: ['slow'],
    timeout: 600_000,
  }, async () => {
    const { board, close, controller, inputs, keys } = await openDoor();
    const random = new SeededRandom(runSeed());
    const openings = () => board.activations(1);
    let hasKeypadFault = false;
    const send = async (bytes: number): Promise<void> => {
      for (let sent = 0; sent < bytes; sent += PIECE_BYTES) {
        await keys.write(Uint8Array.from({ length: PIECE_BYTES }, () => random.below(256)));
        hasKeypadFault ||= controller.faults().some(({ code }) => code.startsWith('keypad'));
      }
    };
    await send(GARBAGE_BYTES / 2);
    expect(openings()).toBe(0);
    inputs.press('exit-0');
    await send(GARBAGE_BYTES / 2);
    await expect.poll(openings).toBe(1);
    expect(hasKeypadFault).toBe(true);
    await expect.poll(() => board.isOn(1)).toBe(false);
    await expect.poll(() => controller.faults()).toEqual([]);
    await keys.write(Buffer.from(pinOf(0)));
    await expect.poll(openings).toBe(2);
    await close();
  });
});
