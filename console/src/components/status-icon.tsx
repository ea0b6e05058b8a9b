import { Icon } from '../design/icon.tsx';
import * as icons from '../design/icons.ts';

export type StatusLevel = 'ok' | 'warning' | 'error' | 'neutral';

const levelIcons: Readonly<Record<StatusLevel, string | null>> = {
  ok: icons.checkMarkIcon,
  warning: icons.faultIcon,
  error: icons.crossMarkIcon,
  neutral: null,
};

/** Shape and color; the text beside it says the same. */
export const StatusIcon = ({ level }: { readonly level: StatusLevel }) => {
  const shape = levelIcons[level];
  return (
    <span class="status-icon" data-level={level} aria-hidden="true">
      {shape === null ? null : <Icon shape={shape} />}
    </span>
  );
};
