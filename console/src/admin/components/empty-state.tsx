import type { ComponentChildren } from 'preact';
import { Icon } from '../../design/icon.tsx';

interface EmptyStateProps {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  /** A button for the next step. */
  readonly children?: ComponentChildren;
}

export const EmptyState = ({ icon, title, text, children }: EmptyStateProps) => (
  <div class="empty-state">
    <Icon shape={icon} />
    <p class="empty-title">{title}</p>
    <p class="quiet">{text}</p>
    {children}
  </div>
);
