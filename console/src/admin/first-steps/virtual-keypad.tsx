import { useMessages } from '../messages/language.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** Keys of a computer's keyboard that stand for keys of the keypad. */
const keyboardKeys: Readonly<Record<string, string>> = { Escape: '*', Backspace: '*' };

interface KeypadProps {
  readonly entered: number;
  readonly onPress: (key: string) => void;
}

export const VirtualKeypad = ({ entered, onPress }: KeypadProps) => {
  const { start } = useMessages();
  return (
    <div
      class="start-keypad"
      role="group"
      aria-label={start.keypad}
      onKeyDown={event => {
        const key = keyboardKeys[event.key] ?? event.key;
        if (event.ctrlKey || event.metaKey || event.altKey || !(keys as readonly string[]).includes(key)) return;
        event.preventDefault();
        onPress(key);
      }}
    >
      <p class="keypad-display" role="status" aria-label={entered === 0 ? start.ready : start.entered(entered)}>
        {'●'.repeat(entered)}
      </p>
      {keys.map(key => (
        <button key={key} type="button" aria-label={start.keyNames[key]} onClick={() => onPress(key)}>
          {key}
        </button>
      ))}
    </div>
  );
};
