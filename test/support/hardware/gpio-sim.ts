import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const CONFIG = '/sys/kernel/config/gpio-sim';

/** Why the kernel has no simulated chip, or null. */
export const missingGpioSimSupport = (): string | null => {
  if (!existsSync(CONFIG)) spawnSync('sh', ['-c', 'modprobe gpio-sim'], { stdio: 'ignore' });
  return existsSync(CONFIG) ? null : 'the kernel does not support gpio-sim (modprobe gpio-sim, with configfs mounted)';
};

/** A chip of the kernel module gpio-sim, with real system calls and interrupts. */
export class GpioSim {
  readonly #device: string;
  readonly #bank: string;
  readonly #label: string;

  constructor(label: string) {
    this.#label = label;
    this.#device = `${CONFIG}/${label}`;
    this.#bank = `${this.#device}/bank0`;
  }

  plugIn(): void {
    mkdirSync(this.#bank, { recursive: true });
    writeFileSync(`${this.#bank}/num_lines`, '32');
    writeFileSync(`${this.#bank}/label`, this.#label);
    writeFileSync(`${this.#device}/live`, '1');
  }

  unplug(): void {
    writeFileSync(`${this.#device}/live`, '0');
    rmdirSync(this.#bank);
    rmdirSync(this.#device);
  }

  #line(offset: number, attribute: string): string {
    const [device, chip] = [`${this.#device}/dev_name`, `${this.#bank}/chip_name`].map(file =>
      readFileSync(file, 'utf8').trim(),
    );
    return `/sys/devices/platform/${device}/${chip}/sim_gpio${offset}/${attribute}`;
  }

  drive(offset: number, isHigh: boolean): void {
    writeFileSync(this.#line(offset, 'pull'), isHigh ? 'pull-up' : 'pull-down');
  }

  isHigh(offset: number): boolean {
    return readFileSync(this.#line(offset, 'value'), 'utf8').trim() === '1';
  }
}
