import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Code,
  Group,
  Modal,
  Stack,
  Tabs,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ApiError, api, Proposed } from '../../api.ts';
import { useProtectedEnvironments } from '../../me.ts';
import { invalidate } from '../../queries.ts';
import { joinAnd, plural } from '../../ui/format.ts';
import { UnifiedJsonDiff } from '../../ui/json-diff.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { ProductionMark } from '../../ui/production-mark.tsx';
import classes from '../flags.module.css';
import { Impact } from '../impact.tsx';
import { DetailList } from '../strategy/detail-list.tsx';
import { affectedInProduction } from './change-summary.ts';
import { type Change, changeEnabled, emptyDraft, ownChanges } from './draft.ts';
import { useUnfinished } from './draft-store.ts';
import { refreshFeature } from './edits.ts';
import { useFeatureRefusals } from './feature-refusal.ts';
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

/** Enables the feature with the changes, where it is disabled and has strategies to save. */
function AlsoEnable({ places }: { readonly places: readonly (string | undefined)[] }) {
  const { feature, draft, change } = useFeatureView();
  const refusalOf = useFeatureRefusals();
  const disabled = feature.environments.filter(
    ({ name, enabled }) =>
      !enabled &&
      places.includes(name) &&
      refusalOf('UPDATE_FEATURE_ENVIRONMENT', name) === undefined,
  );
  return disabled.map(({ name, type }) => (
    <Checkbox
      key={name}
      label={
        <Group gap={6} component="span">
          Enable in {name}
          {type === 'production' && <ProductionMark name={name} />}
        </Group>
      }
      checked={draft.environments[name]?.enabled?.after ?? false}
      onChange={({ currentTarget: { checked } }) =>
        change((before) => changeEnabled(before, name, false, checked))
      }
    />
  ));
}

interface Props {
  readonly changes: readonly Change[];
  readonly onClose: () => void;
}

/** All changes before they are saved: in words and as JSON, with an optional comment. */
export function Review({ changes, onClose }: Props) {
  const { feature, draft, change } = useFeatureView();
  const own = ownChanges(changes);
  const [comment = '', setComment] = useUnfinished(`comment ${feature.name}`);
  const finish = () => {
    change(() => emptyDraft);
    setComment(undefined);
    onClose();
  };
  const saving = useMutation({
    mutationFn: () => saveChanges(feature, changes, comment),
    onSuccess: async () => {
      finish();
      tellDone({
        id: `${feature.name} changes`,
        title: `${plural(own.length, 'change')} to ${feature.name} saved`,
      });
      await refreshFeature();
      await invalidate('GET /api/admin/search/events');
    },
    onError: (error) => {
      if (error instanceof Proposed) finish();
      if (isOutdated(error)) void refreshFeature();
    },
  });
  const { error } = saving;
  const faults = error instanceof ApiError ? error.faults : [];
  const stray = faults.filter(({ path }) => placeOf(path) === undefined);
  const places = [...new Set(changes.map(({ environment }) => environment))];
  const protectedPlaces = useProtectedEnvironments()(feature.project);
  // Dependencies count in every environment.
  const needApproval = protectedPlaces.filter(
    (place) => places.includes(place) || places.includes(undefined),
  );
  const isProposal = needApproval.length > 0;
  const production = new Set(
    feature.environments.flatMap(({ name, type }) => (type === 'production' ? [name] : [])),
  );
  const affected = affectedInProduction(
    changes,
    feature.environments.map(({ name, type, enabled }) => ({
      name,
      type,
      enabled: enabled || draft.environments[name]?.enabled?.after === true,
    })),
  ).map(({ name }) => name);
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
                <section
                  key={environment ?? ''}
                  className={classes.place}
                  aria-label={environment ?? 'All environments'}
                  data-production={
                    (environment !== undefined && production.has(environment)) || undefined
                  }
                >
                  <Group gap={6} mt="xs">
                    <Title order={3} size="h6">
                      {environment ?? 'All environments'}
                    </Title>
                    {environment !== undefined && production.has(environment) && (
                      <ProductionMark name={environment} />
                    )}
                  </Group>
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
          <AlsoEnable places={places} />
          {isProposal && (
            <Alert color="blue" p="xs" icon={<IconShieldLock aria-hidden />}>
              <Text size="sm">
                Changes in {joinAnd(needApproval)} need approval. All of these changes will be added
                to your draft.
              </Text>
            </Alert>
          )}
          {affected.length > 0 && !isProposal && (
            <Alert color="orange" p="xs" icon={<IconShieldLock aria-hidden />}>
              <Text size="sm" fw={600}>
                Changes in {joinAnd(affected)} take effect immediately.
              </Text>
              {affected.map((name) => (
                <Impact
                  key={name}
                  feature={feature.name}
                  environment={name}
                  isNamed={affected.length > 1}
                />
              ))}
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
              {isProposal ? 'Propose' : 'Save'} {plural(own.length, 'change')}
              {affected.length > 0 && ` to ${joinAnd(affected, 2)}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
