export const Logo = () => (
  <svg class="brand" viewBox="0 0 32 32" aria-hidden="true">
    <rect class="brand-ground" width="32" height="32" rx="7" />
    <path class="brand-lintel" d="M6 6h20v4H6z" />
    <path class="brand-leaf" d="M9 12h14v14H9z" />
    <circle class="brand-ground" cx="19.5" cy="19.5" r="1.5" />
  </svg>
);
