import { type KeyObject, verify } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import { decodeMessage, LARGEST_MESSAGE } from '@lintel/wire-protocol/mqtt/message-codec';
import { type Message, messages } from '@lintel/wire-protocol/mqtt/message-table';
import { freshWindow, type ReplayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import { checkFrame, decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { type DownKind, parseTopic } from '@lintel/wire-protocol/mqtt/topics';

type SignedKind = Extract<DownKind, 'ack' | 'slice' | 'action' | 'time' | 'rules'> | 'revoke';

/** One of these, with its message. */
export type Heard = { readonly [K in SignedKind]: { readonly kind: K; readonly message: Message<K> } }[SignedKind];

export interface DownReceiver {
  readonly deviceId: DeviceId;
  readonly serial: string;
  readonly organizationId: OrganizationId;
  readonly organizationKey: KeyObject;
}

const unpacked = (body: Uint8Array): Result<Uint8Array> => {
  try {
    return ok(gunzipSync(body, { maxOutputLength: LARGEST_MESSAGE }));
  } catch {
    return failed([problem('', 'invalid_encoding', 'must be gzip of a message that is not too large')]);
  }
};

/** What comes down is believed as firmware believes it: signed by the organization, for this controller, and only once. */
export class DownFrames {
  readonly #self: DownReceiver;
  #down: ReplayWindow = freshWindow;
  #revoke: ReplayWindow = freshWindow;
  /** A revocation has been kept from it, as far as numbers tell. */
  #hasMissed = false;

  constructor(self: DownReceiver) {
    this.#self = self;
  }

  get downCounter(): number {
    return this.#down.highest;
  }

  get revokeCounter(): number {
    return this.#revoke.highest;
  }

  /** Once for each gap in the numbers of revocations. */
  takeMissed(): boolean {
    const missed = this.#hasMissed;
    this.#hasMissed = false;
    return missed;
  }

  /** Null for what is said without a signature or to others, and is none of a simple controller's business. */
  open(topic: string, payload: Uint8Array): Result<Heard> | null {
    const parsed = parseTopic(topic);
    if (parsed === null || parsed.direction === 'up' || messages[parsed.kind].signedBy !== 'organization') return null;
    const kind = parsed.kind as SignedKind;
    const frame = decodeFrame(payload);
    if (!frame.ok) return frame;
    const { deviceId, serial, organizationId, organizationKey } = this.#self;
    const isRevoke = kind === 'revoke';
    const address = isRevoke ? { audience: organizationId, serial: '' } : { audience: deviceId, serial };
    const before = isRevoke ? this.#revoke : this.#down;
    const expected = { kind, signer: organizationId, ...address, window: before };
    const checked = checkFrame(frame.value, expected, (bytes, signature) =>
      verify(null, bytes, organizationKey, signature),
    );
    if (!checked.ok) return checked;
    this.#remember(isRevoke, before, checked.value.window ?? before);
    const body = frame.value.header.encoding === 'gzip' ? unpacked(checked.value.body) : ok(checked.value.body);
    if (!body.ok) return body;
    const message = decodeMessage(kind, body.value);
    return message.ok ? ok({ kind, message: message.value } as Heard) : message;
  }

  #remember(isRevoke: boolean, before: ReplayWindow, after: ReplayWindow): void {
    if (!isRevoke) {
      this.#down = after;
      return;
    }
    if (before.highest > 0 && after.highest > before.highest + 1) this.#hasMissed = true;
    this.#revoke = after;
  }
}
