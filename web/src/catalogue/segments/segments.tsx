import { IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { Segment } from '../../flags/feature/view.ts';
import { useRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { invalidate, read } from '../../queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuardedButton } from '../../ui/guarded.tsx';
import { List } from '../../ui/list.tsx';
import { listSearch } from '../../ui/list-search.ts';
import { Page } from '../../ui/page.tsx';
import { DeleteDialog } from '../uses/delete-dialog.tsx';
import { SegmentRow, useSegmentRefusal } from './segment-row.tsx';

const route = getRouteApi('/shell/configure/segments');

const textOf = ({ name, description, project, constraints }: Segment) =>
  `${name} ${description ?? ''} ${project ?? ''} ${constraints.map(({ contextName }) => contextName).join(' ')}`;

/** The segments of all projects that the reader sees. */
export function Segments() {
  const navigate = route.useNavigate();
  const { query = '' } = route.useSearch();
  const { segments } = useSuspenseQuery(read('GET /api/admin/segments', {})).data;
  const refusal = useRefusal(['CREATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'], { inAnyProject: true });
  return (
    <Page
      title="Segments"
      lead="Reusable sets of constraints. Update a segment once to change every feature that uses it."
      action={
        <GuardedButton
          refusal={refusal}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/segments/create' })}
        >
          New segment
        </GuardedButton>
      }
    >
      <SegmentList
        segments={segments}
        query={query}
        onQuery={(text) => void navigate({ search: listSearch(text), replace: true })}
      />
    </Page>
  );
}

/** The segments of one project, in its settings. */
export function SegmentsOfProject({ projectId }: { readonly projectId: string }) {
  const navigate = useNavigate();
  const all = useSuspenseQuery(read('GET /api/admin/segments', {})).data.segments;
  const [query, setQuery] = useState('');
  const refusal = useSegmentRefusal('CREATE_SEGMENT', projectId);
  return (
    <>
      <SegmentList
        segments={all.filter(({ project }) => project === projectId)}
        query={query}
        onQuery={setQuery}
      />
      <GuardedButton
        refusal={refusal}
        leftSection={<IconPlus size={16} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => void navigate({ to: '/segments/create', search: { project: projectId } })}
      >
        New segment
      </GuardedButton>
    </>
  );
}

interface ListProps {
  readonly segments: readonly Segment[];
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

function SegmentList({ segments, query, onQuery }: ListProps) {
  const nameOf = useProjectName();
  const [deleting, setDeleting] = useState<Segment>();
  return (
    <>
      <List
        what="segments"
        items={segments}
        textOf={(segment) => `${textOf(segment)} ${nameOf(segment.project ?? '')}`}
        query={query}
        onQuery={onQuery}
        empty={
          <EmptyState title="No segments yet">
            Create a segment to reuse constraints across strategies, such as “Customers in the
            Nordics”.
          </EmptyState>
        }
      >
        {(segment) => (
          <SegmentRow key={segment.id} segment={segment} onDelete={() => setDeleting(segment)} />
        )}
      </List>
      {deleting && (
        <DeleteDialog
          thing={{ kind: 'segment', id: deleting.id }}
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDelete={async () => {
            await api('DELETE /api/admin/segments/:id', { params: { id: String(deleting.id) } });
            await invalidate('GET /api/admin/segments');
          }}
        />
      )}
    </>
  );
}
