import type { GuestActionAvailability } from '@lintel/wire-protocol/guest/guest-api';
import { guestApi, type GuestPhoneLocation } from '../guest-api.ts';
import type { GuestLanguage } from '../messages/language.ts';
import { requestPhoneLocation } from '../request-phone-location.ts';
import { describeGuestApiError } from '../messages/describe-denial-and-api-error.ts';
import { type ActionButtonResult, renderActionButton } from './action-button.ts';

export interface GuestDoorButtonOptions {
  readonly memberId: string;
  readonly gadgetId: string;
  readonly action: GuestActionAvailability;
  readonly title: string;
  /** The action, or why it is not available. */
  readonly hint: string;
  readonly language: GuestLanguage;
  /** Called after success and after an error. */
  readonly onSettled: () => void;
}

/** Returns null for an action that needs no location. */
const positionFor = async (
  action: GuestActionAvailability,
): Promise<GuestPhoneLocation | null | 'denied' | 'unknown'> => (action.needs_location ? requestPhoneLocation() : null);

/** Performs the action through the bridge. */
const performOnline = async (
  { memberId, gadgetId, action, language }: GuestDoorButtonOptions,
  showProgress: (text: string) => void,
): Promise<ActionButtonResult> => {
  const { messages } = language;
  if (action.needs_location) showProgress(messages.locating);
  const position = await positionFor(action);
  if (position === 'denied') return { isDone: false, text: messages.locationDenied };
  if (position === 'unknown') return { isDone: false, text: messages.locationUnknown };
  showProgress(action.id === 'open' ? messages.opening : messages.working);
  const result = await guestApi.act(gadgetId, action.id, {
    member_id: memberId,
    ...(position === null ? {} : { location: position }),
  });
  if (!result.ok) return { isDone: false, text: describeGuestApiError(language, result.error) };
  navigator.vibrate?.(60);
  return { isDone: true, text: action.id === 'open' ? messages.opened : messages.done };
};

/** A button for one action, with its result. */
export const renderGuestDoorButton = (options: GuestDoorButtonOptions): HTMLElement => {
  const { gadgetId, action, title, hint, onSettled } = options;
  return renderActionButton({
    id: `${gadgetId}.${action.id}`,
    title,
    hint,
    isAvailable: action.is_allowed,
    run: showProgress => performOnline(options, showProgress),
    onSettled,
  });
};
