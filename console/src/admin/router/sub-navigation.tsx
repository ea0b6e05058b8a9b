import { useLocation } from 'preact-iso/router';
import { useLinkTo } from './links-and-query-parameters.ts';

interface SubNavigationProps {
  readonly label: string;
  readonly items: readonly { readonly path: string; readonly label: string }[];
}

/** Links between the screens of one area. */
export const SubNavigation = ({ label, items }: SubNavigationProps) => {
  const { path } = useLocation();
  const linkTo = useLinkTo();
  return (
    <nav class="sub-navigation" aria-label={label}>
      <ul>
        {items.map(item => (
          <li key={item.path}>
            <a href={linkTo(item.path)} aria-current={path === linkTo(item.path) ? 'page' : undefined}>
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
