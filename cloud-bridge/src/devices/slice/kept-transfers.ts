import type { SliceTransfer } from './slice-transfer.ts';

const MOST_BYTES = 256 * 1024 * 1024;

/** Changes on their way, kept as long as a controller may ask for the rest of them. */
export class KeptTransfers {
  readonly #transfers = new Map<string, SliceTransfer>();
  #bytes = 0;

  keep(deviceId: string, transfer: SliceTransfer): void {
    this.drop(deviceId);
    this.#transfers.set(deviceId, transfer);
    this.#bytes += transfer.bytes;
    for (const oldest of this.#transfers.keys()) {
      if (this.#bytes <= MOST_BYTES || oldest === deviceId) return;
      this.drop(oldest);
    }
  }

  find(deviceId: string, revision: number): SliceTransfer | null {
    const transfer = this.#transfers.get(deviceId);
    return transfer?.ends.to === revision ? transfer : null;
  }

  drop(deviceId: string): void {
    this.#bytes -= this.#transfers.get(deviceId)?.bytes ?? 0;
    this.#transfers.delete(deviceId);
  }
}
