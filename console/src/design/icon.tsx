/** `shape` is a path of `icons.ts`. */
export const Icon = ({ shape }: { readonly shape: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={shape} />
  </svg>
);
