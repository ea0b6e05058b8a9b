import type { ComponentChildren } from 'preact';
import { Button } from '../../design/controls.tsx';
import { useMessages } from '../messages/language.ts';

interface DialogButtonsProps {
  /** Cancel before the action, close after it or where there is none. */
  readonly label: 'cancel' | 'close';
  /** Null while the dialog cannot be left. */
  readonly onClose: (() => void) | null;
  /** The actions; the main one last. */
  readonly children?: ComponentChildren;
}

/** The last line of every dialog: the way out at the left, the action at the right. */
export const DialogButtons = ({ label, onClose, children }: DialogButtonsProps) => {
  const { general } = useMessages();
  return (
    <div class="dialog-buttons">
      {onClose === null ? null : <Button onPress={onClose}>{general[label]}</Button>}
      {children}
    </div>
  );
};

/** For the `cancel` of a form in a dialog, whose own button comes after it. */
export const CancelButton = ({
  label = 'cancel',
  onPress,
}: {
  readonly label?: 'cancel' | 'close';
  readonly onPress: () => void;
}) => {
  const { general } = useMessages();
  return <Button onPress={onPress}>{general[label]}</Button>;
};
