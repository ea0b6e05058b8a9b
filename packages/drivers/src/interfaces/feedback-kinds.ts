import type { ActionStep } from '@lintel/access-core/gadgets/action-steps';
import type { DoorEffect } from '@lintel/access-core/door/door-effects';
import type { KeypadFeedback } from '@lintel/access-core/key-entry-types';

type DoorFeedback = Extract<DoorEffect, { type: 'feedback' }>['kind'];
export type FeedbackKind = KeypadFeedback | DoorFeedback | 'granted' | 'denied';

/** Patterns of a product that replace the default ones. */
export type FeedbackOverrides = Readonly<Partial<Record<FeedbackKind, readonly ActionStep[]>>>;
