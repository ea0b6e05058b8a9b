import { useMessages } from '../messages/language.ts';

/** Becomes visible after a moment, so that a fast response does not flicker. */
export const LoadingIndicator = () => (
  <p class="loading" role="status">
    {useMessages().general.loading}
  </p>
);
