import { ActionBar, Button, Text } from '@mantine/core';
import { RevertButton } from '../history/revert/revert-button.tsx';
import { numberText, plural } from '../ui/format.ts';

interface Props {
  readonly ids: readonly number[];
  readonly onClear: () => void;
}

/** What can be done with the selected events. */
export const SelectedEvents = ({ ids, onClear }: Props) => (
  <ActionBar
    opened
    aria-label="Selected events"
    transitionProps={{ duration: 100 }}
    className="save-bar"
  >
    <Text size="sm" role="status" className="tabular">
      <b>{numberText(ids.length)}</b> selected
    </Text>
    {ids.length > 0 && (
      <RevertButton
        selection={{ eventIds: [...ids] }}
        label="Revert…"
        title={`Revert ${plural(ids.length, 'event')}`}
        onDone={onClear}
      />
    )}
    <Button size="xs" variant="subtle" color="gray.4" onClick={onClear}>
      Cancel
    </Button>
  </ActionBar>
);
