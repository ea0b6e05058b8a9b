import type { MemberDoor } from '@lintel/member-sdk';
import type { GuestMembership } from '@lintel/wire-protocol/guest/guest-api';
import type { GuestLanguage } from '../messages/language.ts';
import { type ActionButtonOptions, type ActionButtonResult, renderActionButton } from '../views/action-button.ts';
import { createHtmlElement } from '../views/html-elements.ts';
import { describeNearbyError, describeNearbyOpeningResult } from './describe-failed-nearby-opening.ts';
import { selectNearbyMessages } from './messages/select-nearby-messages.ts';
import { type NearbyController, GuestBluetoothPhone } from './guest-bluetooth-phone.ts';
import type { WebBluetooth } from './web-bluetooth.ts';

export interface NearbyDoorsPanelOptions {
  readonly language: GuestLanguage;
  /** Of the session; null without one, so that the phone cannot be set up. */
  readonly memberships: readonly GuestMembership[] | null;
  /** Called after each action. */
  readonly onSettled: () => void;
}

/** Runs a step of the exchange. An exception becomes a text. */
const attempt = async <T>(
  language: GuestLanguage,
  work: () => Promise<T>,
): Promise<T | (ActionButtonResult & { readonly isDone: false })> => {
  try {
    return await work();
  } catch (error) {
    return { isDone: false, text: describeNearbyError(language, error) };
  }
};

/** Opens doors over Bluetooth. Its element stays in the page while the surroundings are rendered again. */
export class NearbyDoorsPanel {
  readonly #element: HTMLElement;
  /** The doors of the controller that the guest chose last. */
  readonly #doorList = createHtmlElement('ul', { class: 'doors' });
  readonly #nearby: GuestBluetoothPhone;
  #shown = '';

  constructor(element: HTMLElement, bluetooth: WebBluetooth) {
    this.#element = element;
    this.#nearby = new GuestBluetoothPhone(bluetooth);
  }

  async #enrolledMembers(): Promise<readonly string[]> {
    const enrollments = await this.#nearby.enrollments().catch(() => []);
    return enrollments.map(({ member_id }) => member_id);
  }

  /** Whether this phone has a key. */
  async isSetUp(): Promise<boolean> {
    return (await this.#enrolledMembers()).length > 0;
  }

  async updateDoors(memberships: readonly GuestMembership[]): Promise<void> {
    await this.#nearby.updateDoors(memberships).catch(() => undefined);
  }

  /** Deletes the keys of this phone. */
  async forgetPhone(): Promise<void> {
    this.#doorList.replaceChildren();
    await this.#nearby.withdraw().catch(() => undefined);
  }

  async show(options: NearbyDoorsPanelOptions): Promise<void> {
    const enrolled = await this.#enrolledMembers();
    const needsSetUp = options.memberships?.some(({ member_id }) => !enrolled.includes(member_id)) ?? false;
    const shown = JSON.stringify([options.language.tag, enrolled.length > 0, needsSetUp]);
    // A result that is on the screen stays.
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#element.replaceChildren(
      ...(enrolled.length === 0 ? [] : [this.#chooseButton(options), this.#doorList]),
      ...(needsSetUp ? [this.#setUpButton(options)] : []),
    );
  }

  #button(
    id: string,
    texts: Pick<ActionButtonOptions, 'title' | 'hint'>,
    { language, onSettled }: NearbyDoorsPanelOptions,
    run: ActionButtonOptions['run'],
  ): HTMLElement {
    const attempted: ActionButtonOptions['run'] = showProgress => attempt(language, () => run(showProgress));
    return renderActionButton({ id, ...texts, isAvailable: true, run: attempted, onSettled });
  }

  #setUpButton(options: NearbyDoorsPanelOptions): HTMLElement {
    const nearby = selectNearbyMessages(options.language.tag);
    const texts = { title: nearby.setUp, hint: nearby.setUpHint };
    return this.#button('nearby-set-up', texts, options, async showProgress => {
      showProgress(nearby.settingUp);
      await this.#nearby.enroll();
      await this.show(options);
      document.getElementById('nearby-choose')?.focus();
      return { isDone: true, text: options.language.messages.done };
    });
  }

  #chooseButton(options: NearbyDoorsPanelOptions): HTMLElement {
    const { language } = options;
    const nearby = selectNearbyMessages(language.tag);
    const texts = { title: nearby.title, hint: nearby.hint };
    return this.#button('nearby-choose', texts, options, async showProgress => {
      showProgress(nearby.connecting);
      if (!(await this.#nearby.isSwitchedOn())) return { isDone: false, text: nearby.off };
      const chosen = await this.#nearby.choose();
      if (typeof chosen === 'string') return { isDone: false, text: describeNearbyOpeningResult(language, chosen) };
      const actions = chosen.doors.flatMap(door => door.actions.map(action => ({ door, action })));
      this.#doorList.replaceChildren(
        ...actions.map(({ door, action }) => this.#doorButton(chosen, { door, action }, options)),
      );
      if (actions.length === 1) this.#doorList.querySelector('button')!.click();
      this.#doorList.querySelector('button')?.focus();
      return null;
    });
  }

  #doorButton(
    controller: NearbyController,
    { door, action }: { readonly door: MemberDoor; readonly action: MemberDoor['actions'][number] },
    options: NearbyDoorsPanelOptions,
  ): HTMLElement {
    const { language } = options;
    const { messages } = language;
    const isOpening = action.id === 'open';
    const texts = { title: door.name, hint: isOpening ? selectNearbyMessages(language.tag).open : action.name };
    const id = `nearby.${door.gadget_id}.${action.id}`;
    const button = this.#button(id, texts, options, async showProgress => {
      showProgress(isOpening ? messages.opening : messages.working);
      const result = await controller.open(door, action.id);
      if (result !== 'granted') return { isDone: false, text: describeNearbyOpeningResult(language, result) };
      navigator.vibrate?.(60);
      return { isDone: true, text: isOpening ? messages.opened : messages.done };
    });
    return createHtmlElement('li', {}, button);
  }
}
