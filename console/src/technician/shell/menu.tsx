import { Icon } from '../../design/icon.tsx';
import * as icons from '../../design/icons.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { screenUrl, type Screen } from './screens.ts';

const screenIcons: Readonly<Record<Screen, string>> = {
  overview: icons.home,
  claim: icons.plug,
  rules: icons.keypad,
  live: icons.wave,
  try: icons.key,
  tests: icons.check,
  report: icons.report,
};

interface MenuProps {
  readonly current: Screen;
  readonly shown: readonly Screen[];
  /** Screens that need attention. */
  readonly marked: ReadonlySet<Screen>;
}

export const Menu = ({ current, shown, marked }: MenuProps) => (
  <nav class="menu" aria-label={shellMessages.menu}>
    <ul>
      {shown.map(screen => (
        <li key={screen}>
          <a
            href={screenUrl(screen)}
            aria-current={screen === current ? 'page' : undefined}
            data-is-marked={marked.has(screen) ? '' : undefined}
          >
            <Icon shape={screenIcons[screen]} />
            <span>{shellMessages.screens[screen]}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
