import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useCurrentOrganization } from '../api/current-organization.ts';

interface PageHeaderProps {
  readonly title: string;
  readonly subtitle?: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The heading of a screen; also sets the title of the window. */
export const PageHeader = ({ title, subtitle, children }: PageHeaderProps) => {
  const { name } = useCurrentOrganization();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <header class="page-header">
      <div>
        <h1>{title}</h1>
        {subtitle === undefined ? null : <p class="quiet">{subtitle}</p>}
      </div>
      {children === undefined ? null : <div class="bar">{children}</div>}
    </header>
  );
};
