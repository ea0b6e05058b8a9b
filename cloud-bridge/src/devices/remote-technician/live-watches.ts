import type { TechnicianLive } from '@lintel/wire-protocol/mqtt/messages/technician-live';

/** The controller falls silent 45 s after the last time it was told that somebody looks. */
const RENEW_MS = 20_000;

export interface Onlooker {
  readonly happened: (happening: TechnicianLive['happenings'][number]) => void;
  /** There is nothing more to be seen; coming again may help. */
  readonly lost: () => void;
}

/** Says to a controller that somebody looks. Answers the nonce of its session, or null when it is not to be reached. */
export type Wish = () => Promise<string | null>;

interface Watch {
  readonly onlookers: Set<Onlooker>;
  readonly renewal: NodeJS.Timeout;
  nonce: string;
  /** The number of the last happening: what comes twice is told once. */
  upTo: number;
}

/** Who looks at which controller. However many look, the controller tells it once. */
export class LiveWatches {
  readonly #watches = new Map<string, Watch>();

  /** False when the controller is not to be reached. */
  async begin(deviceId: string, onlooker: Onlooker, wish: Wish): Promise<boolean> {
    const known = this.#watches.get(deviceId);
    if (known !== undefined) {
      known.onlookers.add(onlooker);
      return true;
    }
    const renewal = setInterval(() => void this.#renew(deviceId, wish), RENEW_MS);
    renewal.unref();
    this.#watches.set(deviceId, { onlookers: new Set([onlooker]), renewal, nonce: '', upTo: 0 });
    if (await this.#renew(deviceId, wish)) return true;
    this.end(deviceId, onlooker);
    return false;
  }

  async #renew(deviceId: string, wish: Wish): Promise<boolean> {
    const nonce = await wish();
    const watch = this.#watches.get(deviceId);
    if (nonce === null || watch === undefined) {
      this.lost(deviceId);
      return false;
    }
    if (nonce !== watch.nonce) [watch.nonce, watch.upTo] = [nonce, 0];
    return true;
  }

  end(deviceId: string, onlooker: Onlooker): void {
    const watch = this.#watches.get(deviceId);
    if (watch === undefined || !watch.onlookers.delete(onlooker) || watch.onlookers.size > 0) return;
    clearInterval(watch.renewal);
    this.#watches.delete(deviceId);
  }

  /** Those of another session and those that have come already are not news. */
  happened(deviceId: string, { session_nonce, first, happenings }: TechnicianLive): void {
    const watch = this.#watches.get(deviceId);
    if (watch === undefined || session_nonce !== watch.nonce || first <= watch.upTo) return;
    watch.upTo = first + happenings.length - 1;
    for (const { happened } of watch.onlookers) for (const happening of happenings) happened(happening);
  }

  lost(deviceId: string): void {
    for (const onlooker of this.#watches.get(deviceId)?.onlookers ?? []) {
      this.end(deviceId, onlooker);
      onlooker.lost();
    }
  }

  close(): void {
    for (const deviceId of this.#watches.keys()) this.lost(deviceId);
  }
}
