import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { screenUrl, type ScreenId } from './screens.ts';

const screenIcons: Readonly<Record<ScreenId, string>> = {
  overview: icons.homeIcon,
  claim: icons.plugIcon,
  rules: icons.keypadIcon,
  live: icons.radioWavesIcon,
  try: icons.keyIcon,
  tests: icons.checkMarkIcon,
  report: icons.reportIcon,
};

interface MenuProps {
  readonly current: ScreenId;
  readonly shown: readonly ScreenId[];
  /** Screens that need attention. */
  readonly marked: ReadonlySet<ScreenId>;
}

export const ScreenMenu = ({ current, shown, marked }: MenuProps) => (
  <nav class="menu" aria-label={shellMessages.menuLabel}>
    <ul>
      {shown.map(screen => (
        <li key={screen}>
          <a
            href={screenUrl(screen)}
            aria-current={screen === current ? 'page' : undefined}
            data-is-marked={marked.has(screen) ? '' : undefined}
          >
            <Icon shape={screenIcons[screen]} />
            <span>{shellMessages.screenNames[screen]}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
