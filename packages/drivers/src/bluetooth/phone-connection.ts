import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { BluetoothControllerSession } from '@lintel/wire-protocol/bluetooth/controller-session';
import {
  addBluetoothFragment,
  type BluetoothFragmentAssembly,
  emptyBluetoothFragmentAssembly,
  splitIntoBluetoothFragments,
} from '@lintel/wire-protocol/bluetooth/fragments';

/** A message to the phone that is being read in fragments. */
interface Outgoing {
  readonly message: Uint8Array;
  fragments: Uint8Array[] | null;
  /** Called when the last fragment was read. */
  readonly onRead: () => void;
}

/** The state of one connected phone: fragments in both directions, and the current exchange. */
export class BluetoothPhoneConnection {
  lastActive: MonotonicTime;
  session: BluetoothControllerSession | null = null;
  /** When the phone read the last fragment of the challenge. */
  challengeReadAt: MonotonicTime | null = null;
  #assembly: BluetoothFragmentAssembly = emptyBluetoothFragmentAssembly;
  #outgoing: Outgoing | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(now: MonotonicTime) {
    this.lastActive = now;
  }

  /** Returns a complete message, `incomplete`, or `malformed`. */
  add(fragment: Uint8Array): Uint8Array | 'incomplete' | 'malformed' {
    const step = addBluetoothFragment(this.#assembly, fragment);
    this.#assembly = step.type === 'incomplete' ? step.assembly : emptyBluetoothFragmentAssembly;
    return step.type === 'message' ? step.message : step.type;
  }

  /** Runs the work for one message after the previous one. A read waits for it. */
  run(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work, work);
    return this.#work;
  }

  /** Replaces a response that was not read. */
  send(message: Uint8Array, onRead: () => void = () => undefined): void {
    this.#outgoing = { message, fragments: null, onRead };
  }

  /** The next fragment of the response; empty if there is none. */
  async read(size: number): Promise<Uint8Array> {
    await this.#work.catch(() => undefined);
    const outgoing = this.#outgoing;
    if (outgoing === null) return new Uint8Array();
    outgoing.fragments ??= splitIntoBluetoothFragments(outgoing.message, size);
    const fragment = outgoing.fragments.shift()!;
    if (outgoing.fragments.length === 0) {
      this.#outgoing = null;
      outgoing.onRead();
    }
    return fragment;
  }
}
