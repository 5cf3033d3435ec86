import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useFeatureView } from './view.ts';

/** Leaving with unsaved changes loses nothing, so it isn't asked about: a notice says where the draft is. */
export function useKeptDraft(hasChanges: boolean): void {
  const { feature, project } = useFeatureView();
  const navigate = useNavigate();
  const tell = () => {
    const id = `draft ${feature.name}`;
    notifications.show({
      id,
      title: 'Unsaved changes kept in this tab',
      message: (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            void navigate({
              to: '/projects/$projectId/features/$featureName',
              params: { projectId: project, featureName: feature.name },
            });
          }}
        >
          Back to {feature.name}
        </Button>
      ),
    });
  };
  useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (hasChanges && current.pathname !== next.pathname) tell();
      return false;
    },
    // A closed tab forgets it.
    enableBeforeUnload: () => hasChanges,
  });
}
