import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { requirePythonPackage, runPythonDriver } from '../support/hardware/python-counterpart.ts';
import { SimulatedPn532 } from '../support/hardware/simulated-pn532.ts';
import { connectPn532ToI2c, connectPn532ToSpi } from '../support/hardware/simulated-pn532-bus.ts';
import { SimulatedRc522 } from '../support/hardware/simulated-rc522.ts';
import { openPty, requiredPython } from '../support/processes/pty.ts';
import { requireProgram } from '../support/require-program.ts';

/* Drivers of other projects read cards from the simulated chips with which the drivers of this project are tested. */

const libnfc = { command: 'nfc-list', install: 'apt-get install libnfc-bin' };
const adafruitPn532 = {
  name: 'adafruit-circuitpython-pn532',
  modules: ['adafruit_pn532', 'adafruit_bus_device'],
  install: 'pip install adafruit-circuitpython-pn532',
};
const mfrc522 = { name: 'mfrc522', modules: ['mfrc522'], install: 'pip install --no-deps mfrc522' };

describe('Simulated PN532', () => {
  it.for([
    { uid: '04a1b2c3', name: 'UID (NFCID1): 04  a1  b2  c3' },
    { uid: '04a1b2c3d4e5f6', name: 'UID (NFCID1): 04  a1  b2  c3  d4  e5  f6' },
    { uid: '08112233', answer: () => Buffer.from('9000', 'hex'), name: 'ATS: 78  80  70  02' },
  ])('on a serial line is read by libnfc: $name', async ({ name, ...target }, context) => {
    requireProgram(context, requiredPython);
    requireProgram(context, libnfc);
    const pty = await openPty();
    new SimulatedPn532(pty).target = target;
    const env = { ...process.env, LIBNFC_DEFAULT_DEVICE: `pn532_uart:${pty.path}:115200` };
    const { stdout } = await promisify(execFile)('nfc-list', ['-t', '1'], { env });
    expect(stdout).toContain(name);
    await pty.close();
  });

  it('on I2C is read by the driver of Adafruit', async context => {
    requirePythonPackage(context, adafruitPn532);
    const { line, bus } = connectPn532ToI2c(0x24);
    new SimulatedPn532(line).target = { uid: '04a1b2c3d4e5f6' };
    const transfers = {
      send: (bytes: Buffer) => bus.send(0x24, bytes),
      receive: (length: number) => bus.receive(0x24, length),
    };
    expect(await runPythonDriver(transfers, 'adafruit-pn532.py', 'i2c')).toEqual({
      firmware: [0x32, 1, 6, 7],
      card: '04a1b2c3d4e5f6',
    });
  });

  it('on SPI is read by the driver of Adafruit', async context => {
    requirePythonPackage(context, adafruitPn532);
    const { line, device } = connectPn532ToSpi();
    new SimulatedPn532(line).target = { uid: '04a1b2c3d4e5f6' };
    const transfers = { transfer: (bytes: Buffer) => device.transfer(bytes) };
    expect(await runPythonDriver(transfers, 'adafruit-pn532.py', 'spi')).toEqual({
      firmware: [0x32, 1, 6, 7],
      card: '04a1b2c3d4e5f6',
    });
  });
});

describe('Simulated RC522', () => {
  it.for([
    { uid: '04a1b2c3', card: '04a1b2c3', select_acknowledge: 8 },
    { uid: null, card: null, select_acknowledge: null },
  ])('is read by the driver mfrc522: $card', async ({ uid, ...result }, context) => {
    requirePythonPackage(context, mfrc522);
    const chip = new SimulatedRc522();
    chip.uid = uid;
    expect(await runPythonDriver(chip, 'mfrc522-python.py')).toEqual(result);
  });
});
