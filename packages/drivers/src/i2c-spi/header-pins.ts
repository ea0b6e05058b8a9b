import * as z from 'zod';
import type { ExclusiveResource, ExclusiveUse } from '../definition/define-driver.ts';
import { dataRow, supplyRow, type WiringRow } from '../definition/wiring.ts';
import {
  createFindingFactory,
  describeDeviceAccessFix,
  describeUsablePort,
  type DoctorCheck,
  type DoctorFinding,
} from '../host/finding.ts';
import type { HostSystem } from '../host/host-system.ts';

/** `/dev/i2c-N`. */
export const i2cBusNumberSchema = z.int().min(0).max(31).default(1);
export const i2cAddressSchema = z.int().min(0x08).max(0x77);

export const spiDeviceSchema = z
  .string()
  .regex(/^\/dev\/spidev\d{1,2}\.\d$/, { error: 'must be an SPI device, such as /dev/spidev0.0' })
  .default('/dev/spidev0.0');

/** Two drivers at one address or chip select would disturb each other. */
const pinDevice: ExclusiveResource<string> = {
  overlaps: (a, b) => a === b,
  describe: (_, user) => `is already used by ${user}`,
};

interface I2cDevice {
  readonly bus: number;
  readonly address: number;
}

export const useI2cAddress = ({ bus, address }: I2cDevice): readonly ExclusiveUse[] => [
  { resource: pinDevice, used: `${bus} ${address}`, at: ['address'] },
];

export const useSpiDevice = ({ device }: { readonly device: string }): readonly ExclusiveUse[] => [
  { resource: pinDevice, used: device, at: ['device'] },
];

/** The I2C bus on the header of a Raspberry Pi. */
export const i2cRows = (part: string): readonly WiringRow[] => [
  dataRow('SDA, GPIO 2 (pin 3)', `${part} SDA`),
  dataRow('SCL, GPIO 3 (pin 5)', `${part} SCL`),
  supplyRow('3.3 V (pin 1)', `${part} VCC`),
  supplyRow('ground (pin 9)', `${part} ground`),
];

/** The SPI bus on the header. The last digit of the device is the chip select. */
export const spiRows = (device: string, part: string): readonly WiringRow[] => [
  dataRow('MOSI, GPIO 10 (pin 19)', `${part} MOSI`),
  dataRow('MISO, GPIO 9 (pin 21)', `${part} MISO`),
  dataRow('SCLK, GPIO 11 (pin 23)', `${part} SCK`),
  dataRow(device.endsWith('1') ? 'CE1, GPIO 7 (pin 26)' : 'CE0, GPIO 8 (pin 24)', `${part} SS`),
  supplyRow('3.3 V (pin 17)', `${part} VCC`),
  supplyRow('ground (pin 25)', `${part} ground`),
];

const loadModuleFix = (module: string): string =>
  `sudo modprobe ${module} && echo ${module} | sudo tee /etc/modules-load.d/${module}.conf`;

/** The bus is on, and only the kernel module for its device file is missing, or the bus is off. */
const describeI2cFix = (machine: HostSystem, bus: number): string =>
  machine.resolve(`/sys/bus/i2c/devices/i2c-${bus}`) === null
    ? 'In /boot/firmware/config.txt: dtparam=i2c_arm=on; write i2c-dev into /etc/modules-load.d/i2c-dev.conf; restart'
    : loadModuleFix('i2c-dev');

const describeSpiFix = (machine: HostSystem, device: string): string =>
  machine.resolve(`/sys/bus/spi/devices/${device.replace('/dev/spidev', 'spi')}`) === null
    ? 'In /boot/firmware/config.txt: dtparam=spi=on; restart'
    : loadModuleFix('spidev');

const checkPinDevice = (
  { name, machine }: DoctorCheck,
  path: string,
  group: string,
  fix: string,
): readonly DoctorFinding[] => {
  const { ok, bad } = createFindingFactory('profile');
  const access = machine.access(path);
  if (access === 'absent') return [bad(`${name}: ${path} does not exist`, fix)];
  if (access === 'denied')
    return [bad(`${name}: ${path} cannot be opened`, describeDeviceAccessFix(machine, path, group))];
  return [ok(describeUsablePort(name, path))];
};

export const checkI2cBus = ({ bus }: I2cDevice, check: DoctorCheck): readonly DoctorFinding[] =>
  checkPinDevice(check, `/dev/i2c-${bus}`, 'i2c', describeI2cFix(check.machine, bus));

export const checkSpiDevice = ({ device }: { readonly device: string }, check: DoctorCheck): readonly DoctorFinding[] =>
  checkPinDevice(check, device, 'spi', describeSpiFix(check.machine, device));
