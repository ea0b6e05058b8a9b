import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';

export type Mood = 'good' | 'look' | 'wrong' | 'quiet';

const icons: Readonly<Record<Mood, string | null>> = {
  good: shapes.check,
  look: shapes.fault,
  wrong: shapes.cross,
  quiet: null,
};

/** Never by colour alone: the shape says it, and the words beside it. */
export const StateMark = ({ mood }: { readonly mood: Mood }) => {
  const shape = icons[mood];
  return (
    <span class="state-mark" data-mood={mood} aria-hidden="true">
      {shape === null ? null : <Icon shape={shape} />}
    </span>
  );
};
