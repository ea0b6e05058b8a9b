import { type BusWithDriver, hardwareBusSchema } from '../drivers.ts';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { describe, expect, it } from 'vitest';
import { openPn532OnI2c, openPn532OnSpi } from './index.ts';
import { createPn532I2cTransport, createPn532SpiTransport } from './transport.ts';
import { simulatedNfcPhone } from '@lintel/test/support/hardware/simulated-nfc-phone';
import { SimulatedPn532, type SimulatedPn532Target } from '@lintel/test/support/hardware/simulated-pn532';
import { connectPn532ToI2c, connectPn532ToSpi } from '@lintel/test/support/hardware/simulated-pn532-bus';
import { cardReaderContract } from '../testing/card-reader-contract.ts';

const POLLS_UNTIL_GONE = 8;

const context = {
  name: 'reader',
  clock: new ProcessClock(),
  dataDir: '/nonexistent',
  log: () => undefined,
  phoneIdentity: () => ({ organization_id: 'org_1', device_id: 'dev_1' }),
};

const open = async (kind: 'i2c' | 'spi') => {
  const i2c = connectPn532ToI2c(0x24);
  const spi = connectPn532ToSpi();
  const { line } = kind === 'i2c' ? i2c : spi;
  const module = new SimulatedPn532(line);
  const bus = hardwareBusSchema.parse({ driver: `pn532-${kind}` });
  const opened = await (kind === 'i2c'
    ? openPn532OnI2c(bus as BusWithDriver<'pn532-i2c'>, context, i2c.bus)
    : openPn532OnSpi(bus as BusWithDriver<'pn532-spi'>, context, () => spi.device));
  const tap = async (target: SimulatedPn532Target): Promise<void> => {
    const before = module.finishedReadings;
    module.target = target;
    await expect.poll(() => module.finishedReadings).toBeGreaterThan(before + 1);
    module.target = null;
    await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(POLLS_UNTIL_GONE);
  };
  await expect.poll(() => module.pollsWithoutTarget).toBeGreaterThan(0);
  return {
    reader: opened.readers!.get('reader')!,
    tap: (uid: string) => tap({ uid: uid.toLowerCase() }),
    tapPhone: (token: string) => tap({ uid: '08112233', answer: simulatedNfcPhone(token) }),
    misreading: {
      side: 'line' as const,
      trouble: 'damaged' as const,
      make: async () => {
        module.responsesToCorrupt = 1;
        await expect.poll(() => module.responsesToCorrupt).toBe(0);
      },
    },
    unplug: async () => {
      line.isConnected = false;
      module.reset();
    },
    plugIn: async () => {
      line.isConnected = true;
    },
    close: () => opened.close(),
  };
};

cardReaderContract('PN532 on I2C', () => open('i2c'));
cardReaderContract('PN532 on SPI', () => open('spi'));

describe('PN532 transports', () => {
  const frame = Buffer.from('0000ff02fed4022a00', 'hex');

  it('write frames to I2C as they are, and skip the status byte when reading', () => {
    const written: string[] = [];
    const transport = createPn532I2cTransport(
      {
        send: (address, bytes) => void written.push(`${address.toString(16)} ${Buffer.from(bytes).toString('hex')}`),
        receive: (_, length) => Buffer.from('010000ff00ff00', 'hex').subarray(0, length),
      },
      0x24,
    );
    transport.write(frame);
    expect(written).toEqual(['24 0000ff02fed4022a00']);
    expect(transport.isReady()).toBe(true);
    expect(Buffer.from(transport.read(6)).toString('hex')).toBe('0000ff00ff00');
  });

  it('send the least significant bit first on SPI', () => {
    const sent: string[] = [];
    const transport = createPn532SpiTransport({
      transfer: bytes => {
        sent.push(Buffer.from(bytes).toString('hex'));
        return Buffer.alloc(bytes.length, 0x80);
      },
      close: () => undefined,
    });
    transport.write(frame);
    expect(transport.isReady()).toBe(true);
    expect([...transport.read(2)]).toEqual([1, 1]);
    // 01 00 00 FF 02 FE D4 02 2A 00, 02 00 and 03 00 00 with their bits reversed.
    expect(sent).toEqual(['800000ff407f2b405400', '4000', 'c00000']);
  });
});
