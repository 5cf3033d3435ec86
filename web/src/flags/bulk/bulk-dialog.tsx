import {
  Alert,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconShieldLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { plural } from '../../ui/format.ts';
import { tellDone } from '../../ui/notices.tsx';
import classes from '../list/feature-list.module.css';
import type { Owner } from '../owner.tsx';
import { OwnerSelect } from '../owner-select.tsx';
import { isTag, tagText } from '../tag-text.ts';
import { TagsField } from '../tags-field.tsx';
import { changeInBulk, impactInBulk } from './bulk-actions.ts';
import {
  actionText,
  type BulkAction,
  type BulkChange,
  inverseOf,
  type Outcome,
  outcomeSummary,
  resultOf,
} from './bulk-wording.ts';

interface Props {
  readonly action: BulkAction;
  readonly names: readonly string[];
  /** Those of the features, for a change of their owner. */
  readonly projects?: readonly string[];
  /** Told which features are no longer where they were, so that they leave the selection, and the project of a move. */
  readonly onGone: (names: readonly string[], newProject: string | undefined) => void;
  readonly onClose: () => void;
}

const titles: Readonly<Record<BulkAction, string>> = {
  enable: 'Enable features',
  disable: 'Disable features',
  tag: 'Edit tags',
  'set-owner': 'Change owner',
  'mark-stale': 'Mark as stale',
  'mark-active': 'Mark as active',
  complete: 'Mark as completed',
  uncomplete: 'Mark as not completed',
  archive: 'Archive features',
  revive: 'Revive features',
  delete: 'Delete features permanently',
  move: 'Move to project',
};

const explanations: Partial<Readonly<Record<BulkAction, string>>> = {
  archive:
    'SDKs stop receiving archived features and evaluate them as disabled. You can revive them later.',
  revive: 'Revived features are disabled in every environment.',
  delete: "This can't be undone. Their events stay in the event log.",
  'mark-stale': 'Stale features keep working. The mark signals that their code should be removed.',
};

/** After these a feature is in another list. */
const leaving: ReadonlySet<BulkAction> = new Set(['archive', 'revive', 'delete', 'move']);

/** Each feature that can't be changed, with the reason. */
function Refusals({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused');
  if (refused.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {plural(refused.length, 'feature')} can't be changed
      </Text>
      <ul
        className={`card ${classes.outcomes}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the keyboard too
        tabIndex={0}
        aria-label="Features that can't be changed"
      >
        {refused.map(({ name, why }) => (
          <li key={name}>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="sm" className="quiet">
              {why}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}

const countOf = (outcomes: readonly Outcome[], wanted: Outcome['outcome']) =>
  outcomes.filter(({ outcome }) => outcome === wanted).length;

/** What is still missing before the action can be tried. */
function completed(change: BulkChange): boolean {
  const { action, environment, newProjectId, owner, addedTags = [], removedTags = [] } = change;
  if (action === 'enable' || action === 'disable') return environment !== undefined;
  if (action === 'move') return newProjectId !== undefined;
  if (action === 'set-owner') return owner !== undefined;
  const tags = [...addedTags, ...removedTags];
  return action !== 'tag' || (tags.length > 0 && tags.every(isTag));
}

/** Says before the click what will happen to each feature: the server does it in a dry run. */
function usePreview(change: BulkChange, names: readonly string[], isWanted: boolean) {
  const [settled] = useDebouncedValue(change, 150);
  return useQuery({
    queryKey: ['POST /api/admin/features/bulk', settled, names],
    queryFn: ({ signal }) => changeInBulk(settled, names, { dryRun: true, signal }),
    enabled: isWanted && completed(settled),
    staleTime: 0,
    gcTime: 0,
  });
}

/** The evaluations that a change in production affects, once it is known which features it changes. */
function BulkImpact({
  names,
  environment,
}: {
  readonly names: readonly string[];
  readonly environment: string;
}) {
  const impact = useQuery({
    queryKey: ['POST /api/admin/client-metrics/evaluations', environment, names],
    queryFn: ({ signal }) => impactInBulk(names, environment, signal),
    enabled: names.length > 0,
  }).data;
  // Its line is there before its text, so that the buttons below stay where they are.
  return (
    <Text size="sm" className="tabular" mih="1.55em">
      {impact}
    </Text>
  );
}

function NewOwner({
  projects,
  onChange,
}: {
  readonly projects: readonly string[];
  readonly onChange: (owner: { type: 'user' | 'group'; id: number } | null) => void;
}) {
  const [owner, setOwner] = useState<Owner | null>();
  const listed = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const isPrivate = listed?.some(({ id, mode }) => mode === 'private' && projects.includes(id));
  return (
    <OwnerSelect
      label="Owner"
      description={isPrivate ? 'Needs access to the private projects of these features' : undefined}
      data-autofocus
      withNone
      owner={owner}
      onChange={(chosen) => {
        setOwner(chosen);
        onChange(chosen && { type: chosen.type, id: chosen.id });
      }}
    />
  );
}

function BulkFields({
  change,
  projects: ofFeatures,
  onChange,
}: {
  readonly change: BulkChange;
  readonly projects: readonly string[];
  readonly onChange: (change: BulkChange) => void;
}) {
  const { action } = change;
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const tags = useQuery(read('GET /api/admin/tags', {})).data?.tags ?? [];
  if (action === 'enable' || action === 'disable') {
    return (
      <>
        <Select
          label="Environment"
          placeholder="Select an environment"
          data-autofocus
          data={environments
            .filter(({ projectCount }) => projectCount > 0)
            .map(({ name, type }) => ({
              value: name,
              label: type === name ? name : `${name} (${type})`,
            }))}
          value={change.environment ?? null}
          onChange={(environment) =>
            onChange({ action, ...(environment !== null && { environment }) })
          }
        />
        <SegmentedControl
          aria-label="Action"
          data={[
            { value: 'enable', label: 'Enable' },
            { value: 'disable', label: 'Disable' },
          ]}
          value={action}
          onChange={(wanted) => onChange({ ...change, action: wanted as BulkAction })}
        />
      </>
    );
  }
  if (action === 'move') {
    return (
      <Select
        label="Project"
        placeholder="Select a project"
        searchable
        data-autofocus
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        value={change.newProjectId ?? null}
        onChange={(newProjectId) =>
          onChange({ action, ...(newProjectId !== null && { newProjectId }) })
        }
      />
    );
  }
  if (action === 'set-owner') {
    return <NewOwner projects={ofFeatures} onChange={(owner) => onChange({ action, owner })} />;
  }
  if (action !== 'tag') return null;
  const known = tags.map(tagText);
  return (
    <>
      <TagsField
        label="Add tags"
        description="Format: type:value. Without a type, it's saved as a simple tag."
        data-autofocus
        data={known}
        limit={20}
        tags={change.addedTags ?? []}
        onChange={(addedTags) => onChange({ ...change, addedTags })}
      />
      <TagsField
        label="Remove tags"
        data={known}
        limit={20}
        tags={change.removedTags ?? []}
        onChange={(removedTags) => onChange({ ...change, removedTags })}
      />
    </>
  );
}

/** One action for a selection: what it needs, what it will do to each feature, and what it did. */
export function BulkDialog({ action, names, projects = [], onGone, onClose }: Props) {
  const [change, setChange] = useState<BulkChange>({ action });
  const projectName = useProjectName();
  const project = change.newProjectId === undefined ? undefined : projectName(change.newProjectId);
  const running = useMutation({
    mutationFn: () => changeInBulk(change, names),
    onSuccess: (outcomes) => {
      const changed = outcomes.filter(({ outcome }) => outcome === 'changed');
      const inverse = inverseOf(change);
      if (changed.length > 0) {
        tellDone({
          id: 'bulk',
          title: resultOf(change, changed.length, project),
          ...(inverse && {
            undo: () =>
              changeInBulk(
                inverse,
                changed.map(({ name }) => name),
              ),
          }),
        });
        if (leaving.has(change.action)) {
          onGone(
            changed.map(({ name }) => name),
            change.newProjectId,
          );
        }
      }
      if (countOf(outcomes, 'refused') === 0) onClose();
    },
  });
  const done = running.data;
  const preview = usePreview(change, names, done === undefined && !running.isPending);
  const shown = done ?? preview.data;
  const changing = preview.data ? countOf(preview.data, 'changed') : names.length;
  const proposing = preview.data ? countOf(preview.data, 'proposed') : 0;
  const problem = running.error ?? preview.error;
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments;
  const isProduction = environments?.some(
    ({ name, type }) => name === change.environment && type === 'production',
  );
  const isDestructive = action === 'archive' || action === 'delete';
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[change.action]}
      size="lg"
      centered
      transitionProps={{ duration: 100 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          running.mutate();
        }}
      >
        <Stack>
          {explanations[change.action] !== undefined && (
            <Text size="sm">{explanations[change.action]}</Text>
          )}
          {done === undefined && (
            <BulkFields change={change} projects={projects} onChange={setChange} />
          )}
          {isProduction && done === undefined && (
            <Alert color="orange" icon={<IconShieldLock aria-hidden />}>
              <b>{change.environment}</b> is a production environment.{' '}
              {changing > 0 && 'This takes effect immediately.'}
              <BulkImpact
                names={(preview.data ?? [])
                  .filter(({ outcome }) => outcome === 'changed')
                  .map(({ name }) => name)}
                environment={change.environment ?? ''}
              />
            </Alert>
          )}
          {problem && (
            <Alert color="red" role="alert">
              {problem.message}
            </Alert>
          )}
          {done === undefined && preview.isLoading && <Skeleton height={20} width="60%" />}
          {shown && (
            <Stack gap="xs" role="status">
              <Text size="sm" fw={done ? 600 : 400}>
                {outcomeSummary(
                  change,
                  {
                    changed: countOf(shown, 'changed'),
                    unchanged: countOf(shown, 'unchanged'),
                    proposed: countOf(shown, 'proposed'),
                    refused: countOf(shown, 'refused'),
                  },
                  done !== undefined,
                  project,
                )}
              </Text>
              <Refusals outcomes={shown} />
            </Stack>
          )}
          <Group justify="flex-end">
            {done ? (
              <Button onClick={onClose} data-autofocus>
                Close
              </Button>
            ) : (
              <>
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <Button
                  type="submit"
                  {...(isDestructive && { color: 'red.8' })}
                  loading={running.isPending}
                  disabled={!completed(change) || !preview.data || changing + proposing === 0}
                >
                  {completed(change)
                    ? changing === 0 && proposing > 0
                      ? `Propose for ${plural(proposing, 'feature')}`
                      : actionText(change, changing, project)
                    : titles[change.action]}
                </Button>
              </>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
