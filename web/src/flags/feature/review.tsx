import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  Modal,
  Stack,
  Tabs,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError, api } from '../../api.ts';
import { invalidate } from '../../queries.ts';
import { plural } from '../../ui/format.ts';
import { UnifiedJsonDiff } from '../../ui/json-diff.tsx';
import { tellDone } from '../../ui/notices.tsx';
import classes from '../flags.module.css';
import { DetailList } from '../strategy/detail-list.tsx';
import { productionWarning } from './change-summary.ts';
import { type Change, emptyDraft, ownChanges } from './draft.ts';
import { useUnfinished } from './draft-store.ts';
import { refreshFeature } from './edits.ts';
import { type Feature, useFeatureView } from './view.ts';

/** Saves all changes by one request, or none of them. */
const saveChanges = (feature: Feature, changes: readonly Change[], comment: string) =>
  api('POST /api/admin/projects/:projectId/features/:featureName/changes', {
    params: { projectId: feature.project, featureName: feature.name },
    body: {
      ...(comment.trim() !== '' && { comment: comment.trim() }),
      ...(feature.lastEventId !== undefined && { expected: { lastEventId: feature.lastEventId } }),
      changes: changes.map(
        ({ action, environment, payload }) =>
          ({ action, payload, ...(environment !== undefined && { environment }) }) as never,
      ),
    },
  });

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 409;

/** `/body/changes/2/payload/…` names the third change. */
const placeOf = (path: string | undefined): number | undefined => {
  const found = /^\/body\/changes\/(\d+)/.exec(path ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

function ChangeInWords({
  change,
  faults,
}: {
  readonly change: Change;
  readonly faults: readonly string[];
}) {
  return (
    <li className={classes.change}>
      <Text size="sm" fw={600} className={classes.title}>
        {change.title}
      </Text>
      {change.details.length > 0 && <DetailList details={change.details} />}
      {faults.map((fault) => (
        <Text key={fault} size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      ))}
    </li>
  );
}

interface Props {
  readonly changes: readonly Change[];
  readonly onClose: () => void;
}

/** All changes before they are saved: in words and as JSON, with an optional comment. */
export function Review({ changes, onClose }: Props) {
  const { feature, change } = useFeatureView();
  const own = ownChanges(changes);
  const [comment = '', setComment] = useUnfinished(`comment ${feature.name}`);
  const saving = useMutation({
    mutationFn: () => saveChanges(feature, changes, comment),
    onSuccess: async () => {
      change(() => emptyDraft);
      setComment(undefined);
      onClose();
      tellDone({
        id: `${feature.name} changes`,
        title: `${plural(own.length, 'change')} to ${feature.name} saved`,
      });
      await refreshFeature();
      await invalidate('GET /api/admin/search/events');
    },
    onError: (error) => {
      if (isOutdated(error)) void refreshFeature();
    },
  });
  const { error } = saving;
  const faults = error instanceof ApiError ? error.faults : [];
  const stray = faults.filter(({ path }) => placeOf(path) === undefined);
  const places = [...new Set(changes.map(({ environment }) => environment))];
  const warning = productionWarning(changes, feature.environments);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Review ${plural(own.length, 'change')}`}
      transitionProps={{ duration: 100 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Stack>
          <Tabs defaultValue="words" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="words">Summary</Tabs.Tab>
              <Tabs.Tab value="json">JSON diff</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="words" pt="sm">
              {places.map((environment) => (
                <section key={environment ?? ''} aria-label={environment ?? 'All environments'}>
                  <Title order={3} size="h6" mt="xs">
                    {environment ?? 'All environments'}
                  </Title>
                  <ul className={classes.changes}>
                    {changes.map((each, index) =>
                      each.environment === environment && !each.isImplied ? (
                        <ChangeInWords
                          // biome-ignore lint/suspicious/noArrayIndexKey: the list stays while it is shown
                          key={index}
                          change={each}
                          faults={faults
                            .filter(({ path }) => placeOf(path) === index)
                            .map(({ message }) => message)}
                        />
                      ) : null,
                    )}
                  </ul>
                </section>
              ))}
            </Tabs.Panel>
            <Tabs.Panel value="json" pt="sm">
              <Stack gap="sm">
                {own.map((each, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list stays while it is shown
                  <div key={index}>
                    <Group gap="xs" mb={4}>
                      <Code>{each.action}</Code>
                      {each.environment && (
                        <Badge tt="none" size="sm" variant="light" color="gray">
                          {each.environment}
                        </Badge>
                      )}
                    </Group>
                    <UnifiedJsonDiff
                      before={each.before}
                      after={
                        each.before === undefined && each.after === undefined
                          ? each.payload
                          : each.after
                      }
                    />
                  </div>
                ))}
              </Stack>
            </Tabs.Panel>
          </Tabs>
          {warning !== undefined && (
            <Alert color="yellow" p="xs">
              {warning}
            </Alert>
          )}
          <Textarea
            label="Comment (optional)"
            description="Shown in the event log with these changes"
            autosize
            minRows={1}
            maxRows={6}
            data-autofocus
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) saving.mutate();
            }}
          />
          {error && (
            <Alert color={isOutdated(error) ? 'yellow' : 'red'} role="alert">
              <Text size="sm">
                {isOutdated(error)
                  ? "Couldn't save: someone else changed this feature. Review the updated changes above, then save again."
                  : error.message}
              </Text>
              {stray.map(({ message }) => (
                <Text size="sm" key={message}>
                  {message}
                </Text>
              ))}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={changes.length === 0}>
              Save {plural(own.length, 'change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
