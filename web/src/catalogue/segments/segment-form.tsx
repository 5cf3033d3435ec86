import { Alert, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  maxConstraints,
  maxSegmentValues,
} from '../../../../src/modules/catalogue/context-fields/constraint-schema.ts';
import { contract } from '../../../../src/modules/catalogue/segments/contract.ts';
import { api, isGone } from '../../api.ts';
import { type Segment, useCatalogue } from '../../flags/feature/view.ts';
import { constraintFault } from '../../flags/strategy/constraint-check.ts';
import { ConstraintsEditor } from '../../flags/strategy/constraint-editor.tsx';
import { constraintPieces, plain } from '../../flags/strategy/strategy-sentence.ts';
import { useMay, useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { read } from '../../queries.ts';
import { useDraftForm } from '../../ui/draft-form.ts';
import { EditConflict } from '../../ui/edit-conflict.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { numberText } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { isSame } from '../../ui/is-same.ts';
import { PageLink } from '../../ui/link.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { LeaveQuestion, SaveBar } from '../../ui/save-bar.tsx';
import { Section } from '../../ui/section.tsx';
import { UsesOf } from '../uses/uses.tsx';
import { SegmentReview } from './review.tsx';
import { useSegmentRefusal } from './segment-row.tsx';
import { availability, type SegmentDraft } from './segment-words.ts';

const createRoute = getRouteApi('/shell/configure/segments/create');
const editRoute = getRouteApi('/shell/configure/segments/edit/$id');

const empty: SegmentDraft = { name: '', description: '', project: '', constraints: [] };

const draftOf = ({ name, description, project, constraints }: Segment): SegmentDraft => ({
  name,
  description: description ?? '',
  project: project ?? '',
  constraints,
});

const words: Readonly<Record<keyof SegmentDraft, string>> = {
  name: 'name',
  description: 'description',
  project: 'availability',
  constraints: 'constraints',
};

/** What someone else set a field to. */
const theirsText = (
  field: keyof SegmentDraft,
  saved: SegmentDraft,
  nameOf: (project: string) => string,
): string => {
  const value = saved[field];
  if (field === 'project') return `${words[field]} “${availability(saved.project, nameOf)}”`;
  if (typeof value === 'string') return `${words[field]} “${value}”`;
  const text = value.map((each) => plain(constraintPieces(each))).join(' and ');
  return `${words[field]} “${text || 'none'}”`;
};

const bodyOf = ({ name, description, project, constraints }: SegmentDraft) => ({
  name: name.trim(),
  description: description.trim() || null,
  project: project || null,
  constraints: [...constraints],
});

export function CreateSegment() {
  const { project = '' } = createRoute.useSearch();
  return <SegmentForm segment={undefined} saved={{ ...empty, project }} />;
}

export function EditSegment() {
  const { id } = editRoute.useParams();
  const found = useSuspenseQuery(read('GET /api/admin/segments/:id', { params: { id } }));
  const segment = found.data;
  if (isGone(found.error)) {
    return (
      <EmptyState title={`${segment.name} was deleted`}>
        Someone deleted this segment while you had it open. See the{' '}
        <PageLink to="/history">event log</PageLink> for details.
      </EmptyState>
    );
  }
  return <SegmentForm key={id} segment={segment} saved={draftOf(segment)} />;
}

/** Why it can't be saved as it is. */
function problemOf(
  { name, constraints }: SegmentDraft,
  saved: SegmentDraft,
  fields: ReturnType<typeof useCatalogue>['fields'],
): string | undefined {
  if (name.trim() === '') return 'Enter a name';
  const values = constraints.reduce((sum, each) => sum + each.values.length, 0);
  if (values > maxSegmentValues) {
    return `A segment can have at most ${numberText(maxSegmentValues)} values in total`;
  }
  for (const [place, constraint] of constraints.entries()) {
    const isStored = saved.constraints.some((each) => isSame(each, constraint));
    const field = fields.get(constraint.contextName);
    const fault = constraintFault(constraint, field, isStored, maxSegmentValues);
    if (fault !== undefined) return `Constraint ${place + 1}: ${fault}`;
  }
  return undefined;
}

interface FormProps {
  readonly segment: Segment | undefined;
  readonly saved: SegmentDraft;
}

/** A segment: its name, its constraints, and what uses it. */
function SegmentForm({ segment, saved }: FormProps) {
  const navigate = useNavigate();
  const may = useMay();
  const { fields } = useCatalogue();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const draft = useDraftForm({
    saved,
    schema: contract.createSegment.body,
    fields: ['name', 'description', 'project'],
    bodyOf,
    send: async (body) => {
      await (segment
        ? api('PUT /api/admin/segments/:id', { params: { id: String(segment.id) }, body })
        : api('POST /api/admin/segments', { body }));
      return body.name;
    },
    refreshes: ['GET /api/admin/segments', 'GET /api/admin/segments/:id'],
    onSaved: (name) => {
      setReviewing(false);
      tellDone({
        id: `segment ${name}`,
        title: `Segment ${name} ${segment ? 'saved' : 'created'}`,
      });
      if (!segment) leave();
    },
  });
  const { values, changed, disputed, set, discard, drop } = draft;
  const [isReviewing, setReviewing] = useState(false);
  const refusal = useSegmentRefusal(
    segment ? 'UPDATE_SEGMENT' : 'CREATE_SEGMENT',
    (segment ? saved.project : values.project) || undefined,
  );
  const nowhere = useRefusal(['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'], { inAnyProject: true });
  // A new one may be allowed in another project.
  const whyReadOnly = segment ? refusal : nowhere;
  const isReadOnly = whyReadOnly !== undefined;
  const count = values.constraints.reduce((sum, each) => sum + each.values.length, 0);
  const problem = problemOf(values, saved, fields);
  const nameOf = useProjectName();
  const leave = () =>
    void navigate(
      saved.project === ''
        ? { to: '/segments' }
        : { to: '/projects/$projectId/settings/segments', params: { projectId: saved.project } },
    );
  return (
    <Page
      title={segment ? segment.name : 'New segment'}
      lead={whyReadOnly ?? 'Users must match all constraints.'}
      action={
        segment && (
          <Button component={Link} to={`/playground?segment=${segment.id}`} variant="default">
            Open in Playground
          </Button>
        )
      }
    >
      <Stack className="card" p="md">
        <TextInput
          label="Name"
          required
          maxLength={255}
          disabled={isReadOnly}
          {...draft.textProps('name')}
        />
        <TextInput
          label="Description"
          maxLength={1000}
          disabled={isReadOnly}
          {...draft.textProps('description')}
        />
        <Select
          label="Available in"
          searchable
          allowDeselect={false}
          disabled={isReadOnly}
          value={values.project}
          error={draft.errorAt('project')}
          onChange={(value) => set('project', value ?? '')}
          data={[
            { value: '', label: 'All projects' },
            ...projects
              .filter(
                ({ id }) =>
                  id === values.project ||
                  ['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'].some((permission) =>
                    may(permission, { project: id }),
                  ),
              )
              .map(({ id, name }) => ({ value: id, label: `${name} only` })),
          ]}
        />
      </Stack>
      <Stack className="card" p="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Constraints
          </Title>
          <Text size="xs" className="quiet tabular">
            {values.constraints.length} of {maxConstraints} constraints · {numberText(count)} of{' '}
            {numberText(maxSegmentValues)} values
          </Text>
        </Group>
        {values.constraints.length === 0 && (
          <Text size="sm" className="quiet">
            With no constraints, everyone matches.
          </Text>
        )}
        <ConstraintsEditor
          constraints={values.constraints}
          saved={saved.constraints}
          fields={fields}
          disabled={isReadOnly}
          maxValues={maxSegmentValues}
          onChange={(constraints) => set('constraints', constraints)}
        />
      </Stack>
      {draft.error && !isReviewing && (
        <Alert color="red" role="alert">
          {draft.error.message}
        </Alert>
      )}
      {segment ? (
        <>
          <Section title="Usage">
            <UsesOf thing={{ kind: 'segment', id: segment.id }} />
          </Section>
          <SaveBar
            changes={changed.map((field) => words[field])}
            action="Review changes"
            problem={refusal ?? problem}
            isSaving={draft.isPending}
            isCovered={isReviewing}
            onSave={() => setReviewing(true)}
            onDiscard={discard}
          >
            <EditConflict
              theirs={disputed.map((field) => theirsText(field, saved, nameOf))}
              isAbout={({ type, data }) =>
                type === 'segment-updated' && (data as { id?: unknown } | null)?.id === segment.id
              }
              onTake={() => drop(disputed)}
            />
          </SaveBar>
        </>
      ) : (
        <Group justify="flex-end">
          <LeaveQuestion hasChanges={changed.length > 0 && !draft.isPending && !draft.isSuccess} />
          <Button
            variant="default"
            onClick={() => {
              discard();
              // When there is nothing left to ask about.
              setTimeout(leave);
            }}
          >
            Cancel
          </Button>
          <GuardedButton
            refusal={refusal ?? problem}
            loading={draft.isPending}
            onClick={draft.save}
          >
            Create segment
          </GuardedButton>
        </Group>
      )}
      {segment && isReviewing && (
        <SegmentReview
          id={segment.id}
          before={saved}
          after={values}
          nameOf={nameOf}
          sending={{ ...draft, mutate: draft.save }}
          onClose={() => {
            setReviewing(false);
          }}
        />
      )}
    </Page>
  );
}
