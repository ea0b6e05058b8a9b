import { BoardTime } from './board-time.ts';

interface Led {
  permanent: number;
  temporary: number | null;
}

/** What hangs on the reader: relays, lights, a buzzer, a display, contacts. */
export class PanelParts {
  readonly time = new BoardTime();
  readonly outputs = [false, false, false, false];
  readonly inputs = [0, 0, 0, 0];
  readonly #resting = [false, false, false, false];
  readonly #leds = new Map<string, Led>();
  isBuzzing = false;
  text = '';
  tamper = 0;
  power = 0;

  color(reader: number, led: number): number {
    const found = this.#leds.get(`${reader}/${led}`);
    return found?.temporary ?? found?.permanent ?? 0;
  }

  /** Records of four bytes: number, control code, timer in tenths of a second. False when there is no such output. */
  control(data: Buffer): boolean {
    for (let at = 0; at + 4 <= data.length; at += 4) {
      const number = data[at]!;
      if (number >= this.outputs.length) return false;
      const code = data[at + 1]!;
      if (code === 1 || code === 2) {
        this.time.stop(`output ${number}`);
        this.#resting[number] = code === 2;
        this.outputs[number] = code === 2;
      } else if (code === 5) {
        this.outputs[number] = true;
        this.time.start(`output ${number}`, data.readUInt16LE(at + 2), () => {
          this.outputs[number] = this.#resting[number]!;
        });
      } else throw new Error(`the panel sent output code ${code}`);
    }
    return true;
  }

  /** Records of fourteen bytes. */
  light(data: Buffer): void {
    for (let at = 0; at + 14 <= data.length; at += 14) this.#lightOne(data.subarray(at, at + 14));
  }

  #lightOne(record: Buffer): void {
    const name = `${record[0]}/${record[1]}`;
    const led = this.#leds.get(name) ?? { permanent: 0, temporary: null };
    this.#leds.set(name, led);
    if (record[2] === 1) led.temporary = null;
    if (record[2] === 2) {
      led.temporary = record[5]!;
      this.time.start(`led ${name}`, record.readUInt16LE(7), () => {
        led.temporary = null;
      });
    }
    if (record[9] === 1) led.permanent = record[12]!;
  }

  /** Reader, tone, on, off, count. */
  buzz(data: Buffer): void {
    this.time.stop('buzzer');
    this.isBuzzing = data[1] !== 1;
    const count = data[4]!;
    if (!this.isBuzzing || count === 0) return;
    this.time.start('buzzer', (data[2]! + data[3]!) * count, () => {
      this.isBuzzing = false;
    });
  }

  show(data: Buffer): void {
    this.text = data.subarray(6, 6 + data[5]!).toString('ascii');
  }
}
