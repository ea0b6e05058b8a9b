import type { SnapshotTransfer } from './snapshot-transfer.ts';

const MAX_BYTES = 256 * 1024 * 1024;

/** Transfers in several chunks, kept until complete because a controller may ask for the remaining chunks. */
export class PendingSnapshotTransfers {
  readonly #transfers = new Map<string, { readonly transfer: SnapshotTransfer; readonly bytes: number }>();
  #bytes = 0;

  /** To be called again when the transfer has more chunks. */
  add(deviceId: string, transfer: SnapshotTransfer): void {
    this.remove(deviceId);
    this.#transfers.set(deviceId, { transfer, bytes: transfer.bytes });
    this.#bytes += transfer.bytes;
    for (const oldest of this.#transfers.keys()) {
      if (this.#bytes <= MAX_BYTES || oldest === deviceId) return;
      this.remove(oldest);
    }
  }

  find(deviceId: string, revision: number): SnapshotTransfer | null {
    const transfer = this.#transfers.get(deviceId)?.transfer;
    return transfer?.range.to === revision ? transfer : null;
  }

  remove(deviceId: string): void {
    this.#bytes -= this.#transfers.get(deviceId)?.bytes ?? 0;
    this.#transfers.delete(deviceId);
  }
}
