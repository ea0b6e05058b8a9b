import type { GuestMembership } from '@lintel/wire-protocol/guest/guest-api';
import { detectBluetoothSupport, hasWebBluetooth } from './bluetooth-support.ts';
import type * as nearbyScript from './nearby-doors-panel.ts';
import { createHtmlElement } from '../views/html-elements.ts';

const NEARBY_SCRIPT = '/guest/nearby.js';

const unsupportedTexts = {
  insecure: 'nearbyInsecure',
  no_bluetooth: 'nearbyUnsupported',
  no_keys: 'nearbyOutdated',
} as const;

type Loaded =
  | { readonly card: nearbyScript.NearbyDoorsPanel }
  | { readonly unsupported: keyof typeof unsupportedTexts }
  | null;

/** The place of the nearby doors. Their script is loaded after the page, and only by browsers with Bluetooth. */
export class LazyNearbyDoorsPanel {
  readonly element = createHtmlElement('section', { class: 'nearby' });
  readonly hasBluetooth = hasWebBluetooth();
  #loading: Promise<Loaded> | null = null;

  /** Null while the script cannot be loaded. */
  async #load(): Promise<Loaded> {
    const support = await detectBluetoothSupport();
    if (support.kind !== 'supported') return { unsupported: support.kind };
    try {
      const script = (await import(NEARBY_SCRIPT)) as typeof nearbyScript;
      return { card: new script.NearbyDoorsPanel(this.element, support.bluetooth) };
    } catch {
      this.#loading = null;
      return null;
    }
  }

  async #card(): Promise<nearbyScript.NearbyDoorsPanel | null> {
    const loaded = await (this.#loading ??= this.#load());
    return loaded !== null && 'card' in loaded ? loaded.card : null;
  }

  /** Whether this phone has a key. */
  async isSetUp(): Promise<boolean> {
    return (await (await this.#card())?.isSetUp()) ?? false;
  }

  async updateDoors(memberships: readonly GuestMembership[]): Promise<void> {
    await (await this.#card())?.updateDoors(memberships);
  }

  /** Deletes the keys of this phone. */
  async forgetPhone(): Promise<void> {
    await (await this.#card())?.forgetPhone();
  }

  async show(options: nearbyScript.NearbyDoorsPanelOptions): Promise<void> {
    const loaded = await (this.#loading ??= this.#load());
    if (loaded === null) return;
    if ('card' in loaded) return loaded.card.show(options);
    const text = options.language.messages[unsupportedTexts[loaded.unsupported]];
    this.element.replaceChildren(createHtmlElement('p', { class: 'empty' }, text));
  }
}
