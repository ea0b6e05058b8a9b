import { PeripheralTimers } from './peripheral-timers.ts';

interface Led {
  permanent: number;
  temporary: number | null;
}

/** Relays and inputs of a simulated OSDP peripheral, and LEDs, buzzer and display of each of its readers. */
export class PeripheralParts {
  readonly timers = new PeripheralTimers();
  readonly outputs = [false, false, false, false];
  readonly inputs = [0, 0, 0, 0];
  readonly #resting = [false, false, false, false];
  readonly #leds = new Map<string, Led>();
  readonly #buzzing = new Set<number>();
  readonly #texts = new Map<number, string>();
  tamper = 0;
  power = 0;

  color(reader: number, led: number): number {
    const found = this.#leds.get(`${reader}/${led}`);
    return found?.temporary ?? found?.permanent ?? 0;
  }

  isBuzzing(reader = 0): boolean {
    return this.#buzzing.has(reader);
  }

  text(reader = 0): string {
    return this.#texts.get(reader) ?? '';
  }

  /** Records of four bytes: number, control code, timer in tenths of a second. False for an unknown output. */
  setOutputs(data: Buffer): boolean {
    for (let at = 0; at + 4 <= data.length; at += 4) {
      const number = data[at]!;
      if (number >= this.outputs.length) return false;
      const code = data[at + 1]!;
      if (code === 1 || code === 2) {
        this.timers.stop(`output ${number}`);
        this.#resting[number] = code === 2;
        this.outputs[number] = code === 2;
      } else if (code === 5) {
        this.outputs[number] = true;
        this.timers.start(`output ${number}`, data.readUInt16LE(at + 2), () => {
          this.outputs[number] = this.#resting[number]!;
        });
      } else throw new Error(`Unsupported output control code ${code}`);
    }
    return true;
  }

  /** Records of fourteen bytes. */
  setLeds(data: Buffer): void {
    for (let at = 0; at + 14 <= data.length; at += 14) this.#setLed(data.subarray(at, at + 14));
  }

  #setLed(record: Buffer): void {
    const name = `${record[0]}/${record[1]}`;
    const led = this.#leds.get(name) ?? { permanent: 0, temporary: null };
    this.#leds.set(name, led);
    if (record[2] === 1) led.temporary = null;
    if (record[2] === 2) {
      led.temporary = record[5]!;
      this.timers.start(`led ${name}`, record.readUInt16LE(7), () => {
        led.temporary = null;
      });
    }
    if (record[9] === 1) led.permanent = record[12]!;
  }

  /** Reader, tone, on, off, count. */
  setBuzzer(data: Buffer): void {
    const reader = data[0]!;
    this.timers.stop(`buzzer ${reader}`);
    this.#buzzing.delete(reader);
    if (data[1] === 1) return;
    this.#buzzing.add(reader);
    const count = data[4]!;
    if (count > 0)
      this.timers.start(`buzzer ${reader}`, (data[2]! + data[3]!) * count, () => this.#buzzing.delete(reader));
  }

  setText(data: Buffer): void {
    this.#texts.set(data[0]!, data.subarray(6, 6 + data[5]!).toString('ascii'));
  }
}
