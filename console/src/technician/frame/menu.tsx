import { Icon } from '../../design/icon.tsx';
import * as shapes from '../../design/shapes.ts';
import * as frameWords from '../words/english/frame-words.ts';
import { addressOf, type Screen } from './screens.ts';

const icons: Readonly<Record<Screen, string>> = {
  overview: shapes.home,
  claim: shapes.plug,
  rules: shapes.keypad,
  live: shapes.wave,
  trying: shapes.key,
  tests: shapes.check,
  report: shapes.report,
};

interface MenuProps {
  readonly here: Screen;
  readonly shown: readonly Screen[];
  /** Screens where something waits for a person. */
  readonly marked: ReadonlySet<Screen>;
}

export const Menu = ({ here, shown, marked }: MenuProps) => (
  <nav class="menu" aria-label={frameWords.menu}>
    <ul>
      {shown.map(screen => (
        <li key={screen}>
          <a
            href={addressOf(screen)}
            aria-current={screen === here ? 'page' : undefined}
            data-is-marked={marked.has(screen) ? '' : undefined}
          >
            <Icon shape={icons[screen]} />
            <span>{frameWords.screens[screen]}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
