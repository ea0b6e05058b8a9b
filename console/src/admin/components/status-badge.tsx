interface StatusBadgeProps {
  readonly level: 'ok' | 'warning' | 'error' | 'neutral';
  readonly text: string;
}

export const StatusBadge = ({ level, text }: StatusBadgeProps) => (
  <span class="status-badge" data-level={level}>
    {text}
  </span>
);
