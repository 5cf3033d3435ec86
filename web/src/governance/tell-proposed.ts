import { notifications } from '@mantine/notifications';
import { refreshRequests } from './refresh.ts';

/** Says that a change was proposed instead of made. */
export function tellProposed(environment: string): void {
  notifications.show({
    id: 'proposed',
    title: `Added to your draft for ${environment}`,
    message:
      "Changes in this environment need approval. Send the draft to review when it's complete.",
  });
  void refreshRequests();
}
